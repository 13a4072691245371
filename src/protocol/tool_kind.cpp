// SPDX-License-Identifier: MIT
#include "protocol/tool_kind.h"

#include "core/tool_names.h"

#include <algorithm>
#include <array>

namespace yume::protocol {
namespace {

struct Kind {
  std::string_view tool;
  std::string_view kind;
};

constexpr std::array k_kinds = {
    Kind{"Bash", "execute"},       Kind{"BashOutput", "execute"}, Kind{"KillShell", "execute"},
    Kind{"Read", "read"},          Kind{"NotebookRead", "read"},  Kind{"Write", "edit"},
    Kind{"Edit", "edit"},          Kind{"MultiEdit", "edit"},     Kind{"NotebookEdit", "edit"},
    Kind{"Grep", "search"},        Kind{"Glob", "search"},        Kind{"LS", "search"},
    Kind{"WebFetch", "fetch"},     Kind{"WebSearch", "browse"},   Kind{"TodoWrite", "memory"},
    Kind{"save_memory", "memory"}, Kind{"Memory", "memory"},      Kind{"AskUserQuestion", "ask"},
    Kind{"ExitPlanMode", "ask"},   Kind{"Agent", "think"},        Kind{"Task", "think"},
};

}  // namespace

std::string_view tool_kind(std::string_view tool) {
  if (tool.starts_with("mcp__") || tool.starts_with("mcp_")) return "mcp";
  const std::string_view name = core::tool_name_for(tool);
  const auto* found = std::find_if(k_kinds.begin(), k_kinds.end(),
                                   [name](const Kind& one) { return one.tool == name; });
  return found == k_kinds.end() ? "other" : found->kind;
}

}  // namespace yume::protocol
