// SPDX-License-Identifier: MIT
// Replacing a file so that a crash at any moment leaves the old or the new bytes. Private to
// src/platform; not a seam.
#pragma once

#include <filesystem>
#include <string_view>

#include "platform/file_system.h"
#include "platform/handle_win32.h"

namespace yume::platform {

// See FileSystem::replace_real. Attributes, access list and creation time of the old file are kept;
// its other streams are not.
Result<Replaced> replace_file(const std::filesystem::path& real_path, std::string_view bytes,
                              const ReplaceOptions& options);

// Gives an open file (DELETE access) the name `to`, in place of what has it. Others may hold that
// one open for reading: they keep reading the old bytes. One that does not share it is waited for,
// two seconds at most. Returns the system's error code, ERROR_SUCCESS when it is done.
DWORD rename_over(const Handle& file, const std::filesystem::path& to);

}  // namespace yume::platform
