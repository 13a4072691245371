// SPDX-License-Identifier: MIT
// A linked worktree of git keeps its state in the repository that it was made from: what of that
// repository a command must be able to change, and what not.
#pragma once

#include <filesystem>
#include <vector>

#include "platform/file_system.h"

namespace yume::config {

struct WorktreePlaces {
  std::vector<std::filesystem::path> writable = {};
  std::vector<std::filesystem::path> read_only = {};

  friend bool operator==(const WorktreePlaces&, const WorktreePlaces&) = default;
};

// Nothing unless `root` is one. Its `.git` file may come from anybody, and name any folder: that
// folder must name the worktree in return, which only git has done.
WorktreePlaces worktree_places(const std::filesystem::path& root,
                               const platform::FileSystem& files);

}  // namespace yume::config
