// SPDX-License-Identifier: MIT
// What a session's shell commands share: the directory they start in, their limits of time, and the
// commands in the background. Nothing else outlives a command.
#pragma once

#include <chrono>
#include <filesystem>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "platform/command_system.h"
#include "platform/file_system.h"
#include "tools/background.h"

namespace yume::tools {

struct ShellSettings {
  std::chrono::milliseconds default_timeout{120'000};
  std::chrono::milliseconds longest_timeout{600'000};
  std::vector<std::filesystem::path> roots = {};  // real paths between which the shell may move
  platform::CommandShell command_shell = {};
};

class Shell {
 public:
  explicit Shell(ShellSettings settings = {}) : settings_(std::move(settings)) {}

  [[nodiscard]] const ShellSettings& settings() const { return settings_; }
  BackgroundCommands& background() { return background_; }

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
  std::filesystem::path cwd_;  // empty: the session's working directory
  BackgroundCommands background_;
};

}  // namespace yume::tools
