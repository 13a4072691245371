// SPDX-License-Identifier: MIT
// From what the user wants to the wall around a session's commands: the workspace and what belongs
// to it can be changed, what runs by itself in it cannot, credentials are closed. Reads what a
// linked worktree of git says about itself; the rest is pure.
#pragma once

#include <filesystem>
#include <vector>

#include "config/sandbox_settings.h"
#include "permissions/closed_set.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "tools/wall.h"

namespace yume::config {

struct WallRequest {
  SandboxMode mode = SandboxMode::workspace_write;  // not off
  const SandboxSettings& settings;
  const std::vector<std::filesystem::path>& roots;  // real; the first is the working directory
  const permissions::ClosedSet& closed;
  const platform::Environment& environment;
  const platform::FileSystem& files;
};

tools::CommandWall make_command_wall(const WallRequest& request);

// The temporary folder of the commands of this workspace; the same for every process in it.
std::filesystem::path wall_temporary(const platform::Environment& environment,
                                     const std::filesystem::path& root);

// What a user has written in settings, as a path.
std::filesystem::path sandbox_path(const std::string& text, const std::filesystem::path& cwd,
                                   const std::filesystem::path& home);

}  // namespace yume::config
