// SPDX-License-Identifier: MIT
// Words that would be sent to the model, but look like a command that was mistyped, stands in the
// wrong place, or exists in Claude Code only. Pure; whether anybody can be asked is for the caller.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace yume::app {

struct CommandDoubt {
  bool asks_for_help = false;  // the only word is `help`
  std::string question;        // for a person, without the choice of answers

  friend bool operator==(const CommandDoubt&, const CommandDoubt&) = default;
};

// `tokens` without the program's name, which begin with no command. nullopt: a prompt is meant, or
// none is there. Flags of scripts and hosts (-p, --output-format, --provider, …), a conversation
// that is resumed, and `--` before the words leave no doubt.
std::optional<CommandDoubt> doubt_about(const std::vector<std::string>& tokens);

}  // namespace yume::app
