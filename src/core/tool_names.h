// SPDX-License-Identifier: MIT
// What tools are called: here, in Claude Code and its hosts, in Gemini CLI, and by models out of
// habit. Rules and calls use the same table, so that a rule means what the call means.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yume::core {

// The tool for subagents: as the model calls it, and as it was called before, which hosts still
// read in lists.
inline constexpr std::string_view k_agent_tool = "Agent";
inline constexpr std::string_view k_old_agent_tool = "Task";
// The tool by which the model gives an answer that fits the host's schema.
inline constexpr std::string_view k_structured_output = "StructuredOutput";

// "search_file_content" and "grep" are "Grep"; a name that is no alias is returned as it is.
std::string_view tool_name_for(std::string_view called);

// A tool that exists here or in any Claude Code that hosts know. MCP tools are none of these.
bool is_known_tool(std::string_view name);

// The known name that was probably meant; nullopt when none is near.
std::optional<std::string> nearest_tool(std::string_view name);

}  // namespace yume::core
