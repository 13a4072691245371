// SPDX-License-Identifier: MIT
// The shell tools: Bash itself, and two for the commands that it left running in the background.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "platform/command_system.h"
#include "tools/tool.h"

namespace yume::tools {

std::unique_ptr<Tool> make_bash_tool();
std::unique_ptr<Tool> make_bash_output_tool();
std::unique_ptr<Tool> make_kill_shell_tool();

// Credentials, and what changes how programs load.
bool is_kept_from_children(std::string_view variable);

// What a child may see of our environment: all the rest, and what its system needs.
std::vector<std::string> child_environment(const platform::Variables& variables,
                                           const platform::CommandSystem& system = {});

// What a terminal of the host gets beside its own variables: of those that a child may not see, and
// which it has most likely given to us, an empty one each.
std::vector<std::string> terminal_environment(const platform::Variables& variables);

}  // namespace yume::tools
