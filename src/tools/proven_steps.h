// SPDX-License-Identifier: MIT
// From the words of a command that was proven harmless to what is started: programs by their full
// paths, outside of the folders that are worked in, and an environment in which they run nothing
// else.
#pragma once

#include <string>
#include <vector>

#include "core/command_steps.h"
#include "platform/process.h"
#include "tools/tool.h"

namespace yume::tools {

std::vector<platform::ProcessStep> process_steps(const std::vector<core::CommandStep>& steps,
                                                 const ToolContext& context);

// "NAME=value": without what would make these programs run or read others, and with what keeps git
// from doing so.
std::vector<std::string> quiet_environment(const std::vector<std::string>& environment);

}  // namespace yume::tools
