// SPDX-License-Identifier: MIT
// What all settings together say about permissions, hooks and the sandbox: managed ones, the
// command line, the folder's local and project files, the user's. Restrictions count from
// everywhere; what a folder's files grant counts only when the folder is trusted, and they can
// never raise the mode.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "config/command_folder.h"
#include "config/permission_settings.h"
#include "config/sandbox_settings.h"
#include "config/settings_stack.h"
#include "hooks/hook_settings.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "util/result.h"

namespace yume::config {

struct PermissionRequest {
  std::filesystem::path cwd;  // real
  bool user_files = true;     // which of the files are wanted (--setting-sources)
  bool project_files = true;
  bool local_files = true;
  std::optional<std::string> managed = std::nullopt;  // JSON of --managed-settings
  // Decides on a text that stands for all that the folder's files grant; absent: not trusted.
  std::function<bool(const std::string& granted)> is_trusted = {};
};

struct PermissionLayers {
  permissions::RuleSet rules = {};  // highest source first
  std::optional<core::PermissionMode> mode = std::nullopt;
  std::vector<std::filesystem::path> directories = {};
  bool disables_bypass = false;
  SandboxSettings sandbox = {};
  hooks::HookSettings hooks = {};  // of the administrator's and the folder's files
  // A file of the folder cannot be read and may hold denials: nothing may run unasked.
  bool fails_closed = false;
  std::string granted = {};  // what the folder's files would grant; empty: nothing
  bool trusted = false;
  std::optional<std::string> project_servers = {};  // the text of .mcp.json, when it is trusted
  std::vector<FoundCommand> commands = {};          // of the folder, whether it is trusted or not
  std::vector<std::string> notices = {};
};

// The message of an error names file, entry and reason.
Result<PermissionLayers> read_permission_layers(const SettingsStack& stack,
                                                const PermissionRequest& request,
                                                const platform::FileSystem& files,
                                                const platform::Environment& environment);

// Where an administrator's settings lie.
std::filesystem::path managed_settings_file(const platform::Environment& environment);

}  // namespace yume::config
