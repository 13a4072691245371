// SPDX-License-Identifier: MIT
#include "core/gemini_cli_tools.h"

#include <algorithm>
#include <array>

namespace yume::core {
namespace {

struct ToolName {
  std::string_view called;
  std::string_view name;
};

// Of all its versions.
constexpr std::array k_names = {
    ToolName{"read_file", "Read"},
    ToolName{"write_file", "Write"},
    ToolName{"replace", "Edit"},
    ToolName{"edit", "Edit"},
    ToolName{"glob", "Glob"},
    ToolName{"grep_search", "Grep"},
    ToolName{"search_file_content", "Grep"},
    ToolName{"list_directory", "LS"},
    ToolName{"run_shell_command", "Bash"},
    ToolName{"write_todos", "TodoWrite"},
    ToolName{"google_web_search", "WebSearch"},
    ToolName{"web_fetch", "WebFetch"},
    ToolName{"exit_plan_mode", "ExitPlanMode"},
    ToolName{"ask_user", "AskUserQuestion"},
};

constexpr std::array k_fields = {
    RenamedField{"Glob", "dir_path", "path"},
    RenamedField{"Grep", "dir_path", "path"},
    RenamedField{"Grep", "include", "glob"},
    RenamedField{"Grep", "include_pattern", "glob"},
    RenamedField{"Grep", "before", "-B"},
    RenamedField{"Grep", "after", "-A"},
    RenamedField{"LS", "dir_path", "path"},
    RenamedField{"Bash", "is_background", "run_in_background"},
};

}  // namespace

std::span<const RenamedField> gemini_cli_fields() {
  return k_fields;
}

std::optional<std::string_view> name_of_gemini_cli_tool(std::string_view called) {
  const auto* found = std::find_if(k_names.begin(), k_names.end(),
                                   [called](const ToolName& one) { return one.called == called; });
  if (found == k_names.end()) return std::nullopt;
  return found->name;
}

}  // namespace yume::core
