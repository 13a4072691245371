// SPDX-License-Identifier: MIT
// Paths that are resolved once and opened as decided: every link and junction is followed when the
// real path is made, and none when it is opened. A name becomes the one that the file system keeps:
// its long form, in its own case. Private to src/platform; not a seam.
#pragma once

#include <filesystem>
#include <vector>

#include "platform/file_status_win32.h"
#include "util/result.h"

namespace yume::platform {

// See FileSystem::real_path. `path` is absolute and has passed check_path().
Result<std::filesystem::path> resolve_links(const std::filesystem::path& path);

// See FileSystem::names_of. `path` is absolute and has passed check_path().
std::vector<std::filesystem::path> names_on_the_way(const std::filesystem::path& path);

// permission_denied when the system opened something else than `real_path`, as a link that was not
// there when it was decided on would make it.
Result<void> check_opened(const Handle& file, const std::filesystem::path& real_path,
                          std::string_view what);

}  // namespace yume::platform
