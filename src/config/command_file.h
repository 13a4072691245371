// SPDX-License-Identifier: MIT
// A command or skill that somebody has written down as a Markdown file: what its header says, and
// how its text becomes a prompt. Knows nothing of files or permissions. Pure.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace yume::config {

struct CommandFile {
  std::string description = {};
  std::string argument_hint = {};
  std::vector<std::string> allowed_tools = {};  // rules that hold while the command's turn runs
  std::string model = {};                       // empty: the session's
  bool for_model = true;                        // the model may use it by itself (skills)
  bool for_user = true;                         // it can be typed
  std::string body = {};

  friend bool operator==(const CommandFile&, const CommandFile&) = default;
};

// Without a description in the header, the first line of the text is it.
CommandFile parse_command_file(std::string_view text);

// A shell command in the text: its output takes its place.
struct ShellPiece {
  std::string command;
  friend bool operator==(const ShellPiece&, const ShellPiece&) = default;
};
using PromptPiece = std::variant<std::string, ShellPiece>;

// The text with its arguments in the place of $ARGUMENTS and $1 to $9; those of a text that has no
// place for them follow it. What stands for a command (!`...`) is found before, so that arguments
// never add one.
std::vector<PromptPiece> fill_command(std::string_view body, std::string_view arguments);

// As a shell would split them, quotes included; nothing is expanded.
std::vector<std::string> split_arguments(std::string_view arguments);

}  // namespace yume::config
