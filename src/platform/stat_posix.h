// SPDX-License-Identifier: MIT
// What the system says about a file, as the seams speak of it.
#pragma once

#include <dirent.h>
#include <sys/stat.h>

#include <cstdint>

#include "platform/file_system.h"

namespace yume::platform {

FileKind kind_of(mode_t mode);
FileInfo info_of(const struct stat& status);
// Without asking again where the directory already tells; a link is a link.
FileKind kind_of_entry(int directory, const dirent& entry);
std::int64_t modified_ns(const struct stat& status);  // since the epoch

}  // namespace yume::platform
