// SPDX-License-Identifier: MIT
// What this user may do with a path, told without doing it: nothing is opened or left behind.
#pragma once

#include <filesystem>

#include "util/result.h"

namespace yume::platform {

bool is_executable_file(const std::filesystem::path& path);

// Whether files can be made in the directory, or the directory itself where it is missing. The
// error names the path that stands in the way.
Result<void> check_writable_directory(const std::filesystem::path& directory);

}  // namespace yume::platform
