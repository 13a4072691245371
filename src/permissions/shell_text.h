// SPDX-License-Identifier: MIT
// A bash command taken apart for rules: its simple commands, their words and redirections. It does
// not run or expand anything. Whatever it cannot read for certain makes the whole text opaque;
// what can still be read is returned all the same, so that denials find it. For permission to run
// unasked there is the stricter read_plain_command().
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/command_steps.h"

namespace yume::permissions {

using core::Joint;

struct ShellWord {
  std::string text = {};  // without quotes and escapes
  bool literal = true;    // false: something in it is expanded or matched when the command runs
  bool quoted = false;    // some of it
  bool tilde = false;     // begins with an unquoted `~`
  std::size_t begin = 0;  // in the command's text
  std::size_t end = 0;
};

enum class RedirectKind { reads, writes };

struct Redirect {
  RedirectKind kind = RedirectKind::reads;
  ShellWord target = {};
};

struct SimpleCommand {
  std::vector<std::pair<std::string, ShellWord>> assignments = {};  // in front of it
  std::vector<ShellWord> words = {};
  std::vector<Redirect> redirects = {};
  Joint joint = Joint::first;  // to the command before it
  std::size_t depth = 0;       // how many parentheses or backticks it stands in

  [[nodiscard]] bool empty() const {
    return assignments.empty() && words.empty() && redirects.empty();
  }
};

struct ShellText {
  std::vector<SimpleCommand> commands = {};
  // Why the text cannot be judged by its words; nullopt when it can.
  std::optional<std::string> opaque = {};
};

inline constexpr std::size_t k_longest_command = 10'000;
inline constexpr std::size_t k_most_commands = 256;

// Never fails: text that is no bash at all is opaque.
ShellText read_shell_text(std::string_view text);

// The words of all commands joined by single spaces, commands by "; ": what a rule written by a
// person looks like.
std::string plain_text(const ShellText& shell);

}  // namespace yume::permissions
