// SPDX-License-Identifier: MIT
// What tools are called: here, in Claude Code and its hosts, in Gemini CLI, and by models out of
// habit. Rules and calls use the same table, so that a rule means what the call means.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yume::core {

// "search_file_content" and "grep" are "Grep"; a name that is no alias is returned as it is.
std::string_view tool_name_for(std::string_view called);

// A tool that exists here or in any Claude Code that hosts know. MCP tools are none of these.
bool is_known_tool(std::string_view name);

// The known name that was probably meant; nullopt when none is near.
std::optional<std::string> nearest_tool(std::string_view name);

}  // namespace yume::core
