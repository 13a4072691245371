// SPDX-License-Identifier: MIT
// What a session's shell commands share: the directory they start in, their limits of time, and the
// commands in the background. Nothing else outlives a command.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/event.h"
#include "platform/command_system.h"
#include "platform/file_system.h"
#include "tools/background.h"
#include "tools/wall.h"

namespace yume::tools {

struct ShellSettings {
  std::chrono::milliseconds default_timeout{120'000};
  std::chrono::milliseconds longest_timeout{600'000};
  std::vector<std::filesystem::path> roots = {};  // real paths between which the shell may move
  platform::CommandShell command_shell = {};
  platform::CommandShell line_shell = platform::CommandSystem().line_shell;
  // For commands in terminals of the host, beside the host's own variables.
  std::vector<std::string> terminal_environment = {};
  // Called when the first command starts, because it looks at the system; empty: no wall is wanted.
  std::function<WallOutcome()> make_wall = {};
  // Commands that the user wants to run without it; empty: none.
  std::function<bool(const std::string& command, const std::filesystem::path& cwd)> leaves_wall =
      {};
};

class Shell {
 public:
  explicit Shell(ShellSettings settings = {}) : settings_(std::move(settings)) {}

  [[nodiscard]] const ShellSettings& settings() const { return settings_; }
  BackgroundCommands& background() { return background_; }

  // Around this command, which starts in `cwd`; null: none. The first time, `events` (may be null)
  // gets what the user must know about it.
  const CommandWall* wall_for(const std::string& command, const std::filesystem::path& cwd,
                              core::EventSink* events);
  // Around the commands until now; null: none.
  [[nodiscard]] const CommandWall* wall() const;

  // Where the next command starts: where the last one ended, while that is there; else `home`, the
  // session's working directory.
  [[nodiscard]] std::filesystem::path cwd(const std::filesystem::path& home,
                                          const platform::FileSystem& files) const;

  // Empty: still in the session's working directory.
  [[nodiscard]] std::filesystem::path moved_to() const;

  // A command that started in cwd() ended in `now` (empty: unknown, or that directory is gone).
  // False when the next one starts in `home` again: `now` lies outside the roots, or the directory
  // was removed.
  bool move_to(const std::filesystem::path& now, const std::filesystem::path& home,
               const platform::FileSystem& files);

 private:
  ShellSettings settings_;
  mutable std::mutex mutex_;
  std::filesystem::path cwd_;        // empty: the session's working directory
  std::optional<WallOutcome> wall_;  // absent: no command has started yet; then it never changes
  BackgroundCommands background_;
};

}  // namespace yume::tools
