// SPDX-License-Identifier: MIT
// May this call run? Yes once, always in this session, no, or no with a reason for the model.
#pragma once

#include <string>
#include <vector>

#include "protocol/terminal/dialogue.h"
#include "protocol/terminal/terminal_style.h"

namespace yume::protocol {

class PermissionDialogue final : public Dialogue {
 public:
  PermissionDialogue(const core::MayRun& question, EscapeCodes codes);

  [[nodiscard]] std::string opening() const override { return opening_; }
  [[nodiscard]] std::string prompt() const override;
  Step take(const std::optional<std::string>& line) override;

 private:
  enum class State { shown, not_understood, wants_reason };

  Step choose(std::string_view word);

  std::string opening_;
  std::string keys_;                            // "y/a/n/e"
  std::vector<core::PermissionUpdate> always_;  // what `a` adds; empty: it is no choice
  State state_ = State::shown;
};

}  // namespace yume::protocol
