// SPDX-License-Identifier: MIT
// How full the model's window is: what the server counted last, and an estimate of what has been
// added since. Pure.
#pragma once

#include <cstdint>

#include "core/usage.h"
#include "gemini/model_info.h"

namespace yume::agent {

class ContextGauge {
 public:
  // `estimate`: of everything that was sent, with which the count is compared.
  void measured(const core::Usage& usage, std::int64_t estimate);
  // Nothing that was counted is worth anything any more.
  void forget() { *this = {}; }

  // What a request would take whose contents are estimated so.
  [[nodiscard]] std::int64_t tokens(std::int64_t estimate) const;

 private:
  std::int64_t counted_ = 0;
  std::int64_t estimated_ = 0;
};

// The share of the window at which a conversation is compacted: less for models that were made to
// think aloud, whose window is small and fills with thoughts.
double compaction_share(const gemini::ModelInfo& model);

}  // namespace yume::agent
