// SPDX-License-Identifier: MIT
// What each subcommand but `sessions` (app/sessions/sessions_arguments) takes, and the names of
// all.
#pragma once

#include <string_view>
#include <vector>

#include "app/commands/command_spec.h"

namespace yume::app {

const CommandSpec& models_command();
const CommandGroup& auth_commands();
const CommandGroup& permissions_commands();
const CommandGroup& setup_commands();
const CommandSpec& trust_command();
const CommandSpec& doctor_command();
const CommandSpec& demo_command();
const CommandSpec& detect_command();
const CommandSpec& capabilities_command();
const CommandSpec& translate_command();
const CommandSpec& completions_command();
const CommandSpec& man_command();

// First words that are commands of this program.
const std::vector<std::string_view>& command_names();
// First words that are commands of Claude Code, but not of this program.
const std::vector<std::string_view>& foreign_command_names();
// Second words that make a command of a first one: `sessions list`, `mcp add`.
const std::vector<std::string_view>& command_verbs();

}  // namespace yume::app
