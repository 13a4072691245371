// SPDX-License-Identifier: MIT
// The `hooks` of a settings file: programs of the user's, by event.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/hooks.h"
#include "hooks/matcher.h"
#include "util/result.h"

namespace yume::hooks {

inline constexpr std::chrono::milliseconds k_default_timeout{60'000};

struct CommandHook {
  Matcher matcher;
  std::string command;  // for the shell
  std::chrono::milliseconds timeout = k_default_timeout;
  core::OnHookFailure on_failure = core::OnHookFailure::go_on;
  bool is_of_folder = false;  // not the user's own: it runs behind the wall around commands
};

struct HookSettings {
  std::map<core::HookEvent, std::vector<CommandHook>> commands;
  // What stands there and is not served: "TeammateIdle", "PreCompact of type prompt". To be
  // reported, because somebody may depend on it.
  std::vector<std::string> not_run;

  // Behind what is here already.
  void append(HookSettings more);
  // One line for each command, so that a change of any of them can be seen.
  [[nodiscard]] std::vector<std::string> grants() const;
};

// Pure. The message names the place inside `hooks`.
Result<HookSettings> parse_hook_settings(const RawJson& hooks);

}  // namespace yume::hooks
