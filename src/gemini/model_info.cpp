// SPDX-License-Identifier: MIT
#include "gemini/model_info.h"

namespace yume::gemini {

std::string_view level_name(ThinkingLevel level) {
  switch (level) {
    case ThinkingLevel::minimal:
      return "MINIMAL";
    case ThinkingLevel::low:
      return "LOW";
    case ThinkingLevel::medium:
      return "MEDIUM";
    case ThinkingLevel::high:
      break;
  }
  return "HIGH";
}

std::string_view status_name(ModelStatus status) {
  switch (status) {
    case ModelStatus::ga:
      return "ga";
    case ModelStatus::preview:
      return "preview";
    case ModelStatus::deprecated:
      return "deprecated";
    case ModelStatus::shut_down:
      break;
  }
  return "shut down";
}

double cost_usd(const ModelInfo& model, const core::Usage& usage) {
  Price price;
  for (const PriceTier& tier : model.prices) {
    const bool applies =
        tier.above_prompt_tokens == 0 || usage.prompt_tokens > tier.above_prompt_tokens;
    if (applies) price = tier.price;
  }
  const auto sum = [](std::int64_t tokens, double per_million) {
    return static_cast<double>(tokens) * per_million / 1e6;
  };
  return sum(usage.uncached_prompt(), price.input) + sum(usage.cached_tokens, price.cached) +
         sum(usage.billed_output(), price.output);
}

}  // namespace yume::gemini
