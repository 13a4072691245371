// SPDX-License-Identifier: MIT
#include "agent/context_gauge.h"

#include <algorithm>

namespace yume::agent {

void ContextGauge::measured(const core::Usage& usage, std::int64_t estimate) {
  if (usage.prompt_tokens <= 0 || usage.estimated) return;
  counted_ = usage.prompt_tokens;
  estimated_ = estimate;
}

std::int64_t ContextGauge::tokens(std::int64_t estimate) const {
  if (counted_ == 0) return estimate;
  return std::max<std::int64_t>(counted_ + estimate - estimated_, 0);
}

double compaction_share(const gemini::ModelInfo& model) {
  constexpr double k_usual = 0.8;
  constexpr double k_thinking = 0.6;
  return model.is_thinking_named ? k_thinking : k_usual;
}

}  // namespace yume::agent
