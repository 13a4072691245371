// SPDX-License-Identifier: MIT
// What the model is told about the repository that it works in: branch, main branch, last commits.
// Read from git's own files, because git itself would do what the repository's configuration says
// (fsmonitor, hooks, filters) before anybody has trusted it. For the same reason there is no list
// of changed files: only git can tell it. Reads files; runs on the session's thread.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platform/file_system.h"

namespace yume::agent {

struct GitSnapshot {
  std::string branch = {};       // empty: on none
  std::string main_branch = {};  // empty: not known
  // The newest first, "1a2b3c4 subject"; as far as the log of this clone has them.
  std::vector<std::string> commits = {};

  friend bool operator==(const GitSnapshot&, const GitSnapshot&) = default;
};

// Nothing when the directory is in no repository, or in one that another user could have put there.
std::optional<GitSnapshot> read_git_snapshot(const std::filesystem::path& directory,
                                             const platform::FileSystem& files);

}  // namespace yume::agent
