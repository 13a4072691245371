// SPDX-License-Identifier: MIT
// The whole command line of this program as values, for shells and the manual page: made from the
// same tables that read it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "app/commands/command_spec.h"

namespace yume::app {

// A turn's own flags first, under the empty name, then each command.
struct ProgramCommand {
  std::string_view name;  // "sessions list"; empty: a turn
  std::string_view summary;
  std::string_view operand;
  std::vector<FlagSpec> flags;

  // "sessions" and "list"; the second is empty for most.
  [[nodiscard]] std::string_view first_word() const;
  [[nodiscard]] std::string_view second_word() const;
};
const std::vector<ProgramCommand>& program_grammar();

// First words of commands, each once; second words of one of them.
std::vector<std::string_view> first_words();
std::vector<std::string_view> second_words(std::string_view first);

// What a flag's value can be; empty: anything.
std::vector<std::string_view> choices_of(const FlagSpec& flag);
// Whether the value, or the operand, is a session, of which shells ask `sessions list`.
bool is_session(const FlagSpec& flag);
bool takes_session(const ProgramCommand& command);
// What an operand can be: the shells of `completions`.
std::vector<std::string_view> choices_of_operand(const ProgramCommand& command);

}  // namespace yume::app
