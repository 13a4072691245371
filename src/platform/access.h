// SPDX-License-Identifier: MIT
// What this user can do with a path. Nothing is left behind.
#pragma once

#include <filesystem>

#include "util/result.h"

namespace yume::platform {

bool is_executable_file(const std::filesystem::path& path);

// Whether files can be made in the directory, or the directory itself where it is missing: a small
// file is written there, or in the nearest folder above that exists, and removed. Permissions alone
// say nothing about a full disk. The error names the path that stands in the way.
Result<void> check_writable_directory(const std::filesystem::path& directory);

}  // namespace yume::platform
