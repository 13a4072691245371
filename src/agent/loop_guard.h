// SPDX-License-Identifier: MIT
// Notices within one turn that the model goes round in circles: it repeats what was denied, or
// makes calls whose results it has seen already. First the model is told, then the turn ends: a
// loop costs money, and nobody may be watching.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <unordered_set>

#include "agent/call_stages.h"

namespace yume::agent {

class LoopGuard {
 public:
  // Once for each finished call, in call order. Adds a warning to its outcome when it is time.
  void observe(FinishedCall& finished);

  // Why the turn must end; nothing while it may go on.
  [[nodiscard]] std::optional<std::string> reason_to_end() const;

 private:
  void observe_denial(FinishedCall& finished);
  void observe_result(FinishedCall& finished);

  int denials_ = 0;  // since the last call that succeeded
  std::size_t last_denied_ = 0;
  int same_denials_ = 0;                  // in a row
  std::unordered_set<std::size_t> seen_;  // calls with their results
  int repeats_ = 0;                       // in a row: calls that brought nothing new
};

}  // namespace yume::agent
