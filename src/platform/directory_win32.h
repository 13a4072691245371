// SPDX-License-Identifier: MIT
// Directories: listed, made, removed, whatever the length of their names. Private to src/platform;
// not a seam.
#pragma once

#include <filesystem>
#include <vector>

#include "platform/file_system.h"
#include "platform/handle_win32.h"

namespace yume::platform {

// Without "." and "..", in no order; a link is a link.
Result<std::vector<DirectoryEntry>> list_directory(const std::filesystem::path& path);

// With those above it; what exists is left as it is. `access`: for CreateDirectoryW; may be null.
Result<void> make_directories(const std::filesystem::path& path, SECURITY_ATTRIBUTES* access);

// A file, or a directory with everything in it; links are removed, not followed. What is not there
// is fine.
Result<void> remove_everything(const std::filesystem::path& path);

}  // namespace yume::platform
