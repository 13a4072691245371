// SPDX-License-Identifier: MIT
// Folders in places that others can write to, such as /tmp, for this user's eyes alone. Private to
// src/platform.
#pragma once

#include <sys/stat.h>

#include <filesystem>

#include "platform/descriptor_posix.h"
#include "util/result.h"

namespace yume::platform {

// Error when it is somebody else's, or others have access to it.
Result<void> check_private(const std::filesystem::path& path, const struct stat& status);

// Made when it is missing; its parent must exist. What is there and not private is an error, and is
// not repaired. The open descriptor is checked, not the name: whatever happens to the name later.
Result<Descriptor> open_private_folder(const std::filesystem::path& path);

}  // namespace yume::platform
