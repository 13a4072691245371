// SPDX-License-Identifier: MIT
// The shell tool.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "tools/tool.h"

namespace yume::tools {

std::unique_ptr<Tool> make_bash_tool();

// Credentials, and what changes how programs load.
bool is_kept_from_children(std::string_view variable);

// What a child may see of our environment: all the rest.
std::vector<std::string> child_environment(
    const std::map<std::string, std::string, std::less<>>& variables);

}  // namespace yume::tools
