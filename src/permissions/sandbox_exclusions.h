// SPDX-License-Identifier: MIT
// Which commands the user wants to run outside of the sandbox (`sandbox.excludedCommands`). A
// command leaves it only as a whole: every part must be named or must merely read, as allow rules
// want it, and what it writes by redirection must lie in the workspace. Pure but for the names of
// files. Thread-safe.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "permissions/command_facts.h"
#include "permissions/rule_book.h"

namespace yume::permissions {

struct ExclusionPlaces {
  std::vector<std::filesystem::path> roots;  // real; the first is the working directory
  std::filesystem::path home = {};
  FileNames file_names = {};
};

class SandboxExclusions {
 public:
  // Patterns of `Bash(...)`; a single word is a program with any arguments. Those that cannot be
  // read exclude nothing.
  SandboxExclusions(const std::vector<std::string>& patterns, ExclusionPlaces places);

  [[nodiscard]] bool cover(const std::string& command, const std::filesystem::path& cwd) const;

 private:
  [[nodiscard]] bool is_of_workspace(const std::filesystem::path& given) const;

  ExclusionPlaces places_;
  RuleBook rules_;
};

}  // namespace yume::permissions
