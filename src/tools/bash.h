// SPDX-License-Identifier: MIT
// The shell tool.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "tools/tool.h"

namespace yume::tools {

std::unique_ptr<Tool> make_bash_tool();

// What a child may see of our environment: all but credentials and what changes how programs load.
std::vector<std::string> child_environment(
    const std::map<std::string, std::string, std::less<>>& variables);

}  // namespace yume::tools
