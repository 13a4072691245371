// SPDX-License-Identifier: MIT
// A subagent as somebody has described it: when it is of use, what it is told, and what it may do.
// A definition only ever narrows: it gives no tool and no permission that its parent has not.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/permission.h"

namespace yume::core {

// Whose definition it is; later ones replace earlier ones of the same name.
enum class AgentSource { built_in, user_file, project_file, command_line, host };

struct AgentDefinition {
  std::string name;
  std::string description;                                       // when to use it; for the model
  std::string prompt;                                            // its system prompt
  std::optional<std::vector<std::string>> tools = std::nullopt;  // by our names; absent: all
  std::vector<std::string> disallowed_tools = {};
  std::string model = {};  // a name or an alias; empty: the parent's
  std::optional<PermissionMode> mode = std::nullopt;
  int max_turns = 0;  // requests; 0: the program's own limit
  bool in_background = false;
  bool without_instructions = false;  // no CLAUDE.md and the like
  AgentSource source = AgentSource::built_in;

  // Whether it leaves the agent this tool.
  [[nodiscard]] bool has_tool(std::string_view tool) const;

  friend bool operator==(const AgentDefinition&, const AgentDefinition&) = default;
};

// What hosts are shown of an agent.
struct AgentSummary {
  std::string name;
  std::string description;
  std::string model = {};  // empty: the parent's

  friend bool operator==(const AgentSummary&, const AgentSummary&) = default;
};

// "claude-3", "my-plugin:reviewer": what can be a name on one line. At most 64 bytes.
bool is_agent_name(std::string_view name);

// A list of tools as people write it: "Read, Grep" or its entries one by one, by any name that
// tools have. Nothing for "*" alone, which means all of them. An entry with parentheses would be a
// restriction of a kind that is not kept: the first such entry is put into `refused`.
std::optional<std::vector<std::string>> read_tool_names(const std::vector<std::string>& entries,
                                                        std::string& refused);

}  // namespace yume::core
