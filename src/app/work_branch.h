// SPDX-License-Identifier: MIT
// --git-branch: the branch that the work is done on.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "platform/environment.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "util/result.h"

namespace yume::app {

struct BranchDeps {
  platform::FileSystem& files;
  platform::ProcessRunner& processes;
  const platform::Environment& environment;
  std::vector<std::string> child_environment;  // "NAME=value"
};

// Checks the branch out, or makes it where HEAD is. Runs nothing of the repository (no hooks).
// Error, and nothing is changed, when there are changes that are not committed, the folder is in no
// repository, or git is not to be had. Blocks while git works.
Result<void> go_to_branch(const std::string& branch, const std::filesystem::path& cwd,
                          const BranchDeps& deps);

}  // namespace yume::app
