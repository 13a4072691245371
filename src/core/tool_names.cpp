// SPDX-License-Identifier: MIT
#include "core/tool_names.h"

#include "core/gemini_cli_tools.h"
#include "util/nearest_word.h"

#include <algorithm>
#include <array>

namespace yume::core {
namespace {

struct NameAlias {
  std::string_view called;
  std::string_view name;
};

// Besides Gemini CLI's.
constexpr std::array k_aliases = {
    NameAlias{"edit_file", "Edit"},
    NameAlias{"multi_edit", "MultiEdit"},
    NameAlias{"notebook_edit", "NotebookEdit"},
    NameAlias{"find_files", "Glob"},
    NameAlias{"grep", "Grep"},
    NameAlias{"ls", "LS"},
    NameAlias{"todo_write", "TodoWrite"},
    NameAlias{"execute_command", "Bash"},
    NameAlias{"shell", "Bash"},
    NameAlias{"bash", "Bash"},
    NameAlias{"TaskOutput", "BashOutput"},
    NameAlias{"AgentOutputTool", "BashOutput"},
    NameAlias{"KillBash", "KillShell"},
    NameAlias{"TaskStop", "KillShell"},
    NameAlias{"Task", "Agent"},
    NameAlias{"fetch", "WebFetch"},
    NameAlias{"web_search", "WebSearch"},
};

// Ours first, then those of Claude Code 1.0 to 2.1 that hosts name in their lists.
constexpr std::array<std::string_view, 58> k_known = {"Read",
                                                      "Write",
                                                      "Edit",
                                                      "MultiEdit",
                                                      "NotebookEdit",
                                                      "Glob",
                                                      "Grep",
                                                      "LS",
                                                      "Bash",
                                                      "BashOutput",
                                                      "KillShell",
                                                      "TodoWrite",
                                                      "WebFetch",
                                                      "WebSearch",
                                                      "AskUserQuestion",
                                                      "ExitPlanMode",
                                                      "Agent",
                                                      "Task",
                                                      "TaskOutput",
                                                      "TaskStop",
                                                      "TaskCreate",
                                                      "TaskGet",
                                                      "TaskList",
                                                      "TaskUpdate",
                                                      "NotebookRead",
                                                      "TodoRead",
                                                      "AgentOutputTool",
                                                      "KillBash",
                                                      "EnterPlanMode",
                                                      "EnterWorktree",
                                                      "ExitWorktree",
                                                      "Skill",
                                                      "SlashCommand",
                                                      "LSP",
                                                      "ToolSearch",
                                                      "ListAgents",
                                                      "Monitor",
                                                      "ReportFindings",
                                                      "ScheduleWakeup",
                                                      "SendMessage",
                                                      "SendUserMessage",
                                                      "Workflow",
                                                      "CronCreate",
                                                      "CronDelete",
                                                      "CronList",
                                                      "TeamCreate",
                                                      "TeamDelete",
                                                      "ListMcpResources",
                                                      "ListMcpResourcesTool",
                                                      "ReadMcpResource",
                                                      "ReadMcpResourceTool",
                                                      "PowerShell",
                                                      "RemoteTrigger",
                                                      "StructuredOutput",
                                                      "Brief",
                                                      "Config",
                                                      "REPL",
                                                      "WaitForMcpServers"};

}  // namespace

std::string_view tool_name_for(std::string_view called) {
  if (const auto name = name_of_gemini_cli_tool(called)) return *name;
  const auto* found = std::find_if(k_aliases.begin(), k_aliases.end(),
                                   [called](const NameAlias& one) { return one.called == called; });
  return found == k_aliases.end() ? called : found->name;
}

bool is_known_tool(std::string_view name) {
  return std::find(k_known.begin(), k_known.end(), name) != k_known.end();
}

std::optional<std::string> nearest_tool(std::string_view name) {
  return nearest_word(name, {k_known.begin(), k_known.end()});
}

}  // namespace yume::core
