// SPDX-License-Identifier: MIT
// The command line of a subcommand. Unlike that of a turn, which hosts write, it is for people: it
// has a help of its own, and what it does not know is an error that names the nearest right word.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "app/argv.h"
#include "app/exit_codes.h"
#include "protocol/line_writer.h"
#include "util/result.h"

namespace yume::app {

struct CommandSpec {
  std::string_view name;             // "auth status": the words behind the program's name
  std::string_view help_at;          // "auth": `yume-cli auth --help` tells more
  std::string_view summary;          // lines of prose for the help
  std::string_view operand = {};     // the one word that it takes: "<id>"; empty: none
  std::vector<FlagSpec> flags = {};  // besides --help
};

// Commands that share their first word: `sessions list`, `sessions show`.
struct CommandGroup {
  std::string_view name;
  std::vector<CommandSpec> commands;
};

// Flags of a turn that mean the same to a subcommand; their names must be known.
std::vector<FlagSpec> turn_flags(const std::vector<std::string_view>& names);

// "help", "--help" or "-h".
bool asks_for_help(std::string_view word);
std::string command_help(const CommandSpec& command);

// An error of usage that says where help is, and before that what may have been meant.
Error wrong_usage(const CommandSpec& command, std::string problem, std::string_view meant = {});

// Which command of the group `tokens` begin with.
Result<const CommandSpec*> choose_command(const CommandGroup& group,
                                          const std::vector<std::string>& tokens);

// `tokens` behind the command's name. With a --help anywhere nothing else is an error.
Result<Arguments> parse_command_line(const CommandSpec& command,
                                     const std::vector<std::string>& tokens);

// The same; what is not to be carried out is answered here, help on stdout and errors on stderr.
std::variant<Arguments, ExitCode> read_command_line(const CommandSpec& command,
                                                    const std::vector<std::string>& tokens,
                                                    protocol::Output& out);

// Says what is wrong on stderr.
ExitCode refuse_usage(const Error& error);

}  // namespace yume::app
