// SPDX-License-Identifier: MIT
// Rules that allow something for as long as this object lives: those of a command that the user has
// typed, for its turn. Denials count as ever.
#pragma once

#include <string>
#include <vector>

#include "permissions/policy.h"

namespace yume::session {

class TurnRules {
 public:
  TurnRules() = default;
  // What cannot be understood permits nothing, and is named in `problems`.
  TurnRules(permissions::ModePolicy& policy, const std::vector<std::string>& rules,
            std::vector<std::string>& problems);
  ~TurnRules();
  TurnRules(TurnRules&& other) noexcept;
  TurnRules& operator=(TurnRules&& other) noexcept;
  TurnRules(const TurnRules&) = delete;
  TurnRules& operator=(const TurnRules&) = delete;

 private:
  void remove() noexcept;

  permissions::ModePolicy* policy_ = nullptr;
  std::vector<std::string> added_;
};

}  // namespace yume::session
