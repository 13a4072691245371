// SPDX-License-Identifier: MIT
// Replacing a file so that a crash at any moment leaves the old or the new bytes. Private to
// src/platform; not a seam.
#pragma once

#include <filesystem>
#include <string_view>

#include "platform/file_system.h"

namespace yume::platform {

// See FileSystem::replace_real. A temporary file ".yume-<hex>.tmp" that a killed process left in
// the directory is removed; one that is in use holds a lock and is left alone.
Result<Replaced> replace_file(const std::filesystem::path& real_path, std::string_view bytes,
                              const ReplaceOptions& options);

}  // namespace yume::platform
