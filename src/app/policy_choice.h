// SPDX-License-Identifier: MIT
// What a session may do: flags and all settings put together.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lazy_closed_set.h"
#include "app/options.h"
#include "app/sandbox_choice.h"
#include "app/session_setup.h"
#include "config/command_folder.h"
#include "config/settings_stack.h"
#include "hooks/hook_settings.h"
#include "permissions/policy.h"
#include "util/result.h"

namespace yume::app {

struct PolicyChoice {
  permissions::PolicySettings settings;
  std::shared_ptr<LazyClosedSet> closed = {};  // the same that `settings` uses
  SandboxChoice sandbox = {};
  hooks::HookSettings hooks = {};  // of the administrator's and the folder's settings
  std::vector<config::FoundCommand> commands = {};  // of the folder
  std::vector<std::string> notices = {};
  std::optional<std::string> project_servers = {};  // the text of .mcp.json, in a trusted folder
};

// `cwd` is real. The message of an error names file or flag, entry and reason.
Result<PolicyChoice> choose_policy(const Options& options, const config::SettingsStack& stack,
                                   const std::filesystem::path& cwd, const SpecDeps& deps);

}  // namespace yume::app
