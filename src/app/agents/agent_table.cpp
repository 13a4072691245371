// SPDX-License-Identifier: MIT
#include "app/agents/agent_table.h"

#include <algorithm>

namespace yume::app {

const std::vector<Agent>& known_agents() {
  static const std::vector<Agent> agents = {
      {.name = "claude",
       .program = "claude",
       .variable = "CLAUDE_CLI_PATH",
       .package = "@anthropic-ai/claude-code",
       .models = AgentModels::claude,
       .slash_commands = true,
       .web_search = true,
       .thinking = true},
      {.name = "gemini",
       .program = "gemini",
       .variable = "GEMINI_CLI_PATH",
       .package = "@google/gemini-cli",
       .models = AgentModels::gemini,
       .slash_commands = false,  // when it runs for a host
       .web_search = true,
       .thinking = true},
      {.name = "codex",
       .program = "codex",
       .variable = "CODEX_CLI_PATH",
       .package = "@openai/codex",
       .slash_commands = false,
       .web_search = true,
       .thinking = true},
      {.name = "cursor",
       .program = "cursor-agent",
       .variable = "CURSOR_CLI_PATH",
       .package = "",
       .slash_commands = false,
       .web_search = false,
       .thinking = false},
  };
  return agents;
}

const Agent* find_agent(std::string_view name) {
  const auto& agents = known_agents();
  const auto found = std::find_if(agents.begin(), agents.end(),
                                  [name](const Agent& one) { return one.name == name; });
  return found == agents.end() ? nullptr : &*found;
}

}  // namespace yume::app
