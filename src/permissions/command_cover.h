// SPDX-License-Identifier: MIT
// Whether allow rules cover a whole command: every simple command in it, with everything that it
// writes. Pure.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "permissions/command_facts.h"
#include "permissions/rule_book.h"

namespace yume::permissions {

struct Cover {
  bool whole = false;
  std::vector<const Rule*> rules = {};  // that were needed
  std::string missing = {};             // what is not covered, for people
};

// `may_write`, `may_read`: by rule or mode, for redirections and `cd`.
struct PathPermissions {
  std::function<bool(const std::filesystem::path& given)> may_read;
  std::function<bool(const std::filesystem::path& given)> may_write;
};

Cover cover_of(const CommandFacts& facts, const RuleBook& rules, const ShellPlaces& places,
               const PathPermissions& paths);

}  // namespace yume::permissions
