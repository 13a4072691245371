// SPDX-License-Identifier: MIT
// What the variables of a command stand for, as far as its own text says: `f=$(mktemp)` is a new
// file, `for f in a b` is one of two. A variable that could get its value anywhere else is unknown.
// Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "permissions/shell_text.h"

namespace yume::permissions {

class ShellVariables {
 public:
  explicit ShellVariables(const ShellText& shell);

  // What the word can be after its variables are replaced, and after the shell has split it. An
  // unknown variable stays in the word.
  [[nodiscard]] std::vector<ShellWord> values_of(const ShellWord& word) const;

 private:
  void read(const SimpleCommand& command, const SimpleCommand* before);
  void set(const std::string& name, const ShellWord& value) { values_[name].push_back(value); }
  void replace_in(const ShellWord& word, int depth, std::vector<ShellWord>& out) const;

  std::map<std::string, std::vector<ShellWord>, std::less<>> values_;
  bool nothing_is_known_ = false;
};

}  // namespace yume::permissions
