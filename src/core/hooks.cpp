// SPDX-License-Identifier: MIT
#include "core/hooks.h"

namespace yume::core {

std::string_view name_of(HookEvent event) {
  switch (event) {
    case HookEvent::pre_tool_use:
      return "PreToolUse";
    case HookEvent::post_tool_use:
      return "PostToolUse";
    case HookEvent::post_tool_use_failure:
      return "PostToolUseFailure";
    case HookEvent::permission_request:
      return "PermissionRequest";
    case HookEvent::notification:
      return "Notification";
    case HookEvent::user_prompt_submit:
      return "UserPromptSubmit";
    case HookEvent::session_start:
      return "SessionStart";
    case HookEvent::session_end:
      return "SessionEnd";
    case HookEvent::stop:
      return "Stop";
    case HookEvent::subagent_start:
      return "SubagentStart";
    case HookEvent::subagent_stop:
      return "SubagentStop";
    case HookEvent::pre_compact:
      return "PreCompact";
  }
  return "";
}

std::optional<HookEvent> hook_event_from(std::string_view name) {
  for (const HookEvent event : k_hook_events) {
    if (name_of(event) == name) return event;
  }
  return std::nullopt;
}

}  // namespace yume::core
