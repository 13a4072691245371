// SPDX-License-Identifier: MIT
// The command line agents that hosts of this program also know, and what they can do. Constants.
#pragma once

#include <string_view>
#include <vector>

namespace yume::app {

enum class AgentModels { none_known, gemini, claude };

struct Agent {
  std::string_view name;      // as hosts call it: "gemini"
  std::string_view program;   // its file: "gemini"
  std::string_view variable;  // that names the file: "GEMINI_CLI_PATH"
  std::string_view package;   // in npm; empty: it is in none
  AgentModels models = AgentModels::none_known;
  bool slash_commands = false;
  bool web_search = false;
  bool thinking = false;
};

const std::vector<Agent>& known_agents();
// nullptr: none of that name.
const Agent* find_agent(std::string_view name);

}  // namespace yume::app
