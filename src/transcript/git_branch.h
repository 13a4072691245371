// SPDX-License-Identifier: MIT
// The branch that a directory's repository is on, without running git.
#pragma once

#include <filesystem>
#include <string>

#include "platform/file_system.h"

namespace yume::transcript {

// Empty when there is no repository, or it is on no branch.
std::string git_branch(const platform::FileSystem& files, std::filesystem::path directory);

}  // namespace yume::transcript
