// SPDX-License-Identifier: MIT
// Paths that are resolved once and opened as decided: every symbolic link is followed when the real
// path is made, and none when it is opened, so that exchanging a directory for a link in between
// leads nowhere. Private to src/platform; not a seam.
#pragma once

#include <filesystem>
#include <vector>

#include "platform/descriptor_posix.h"
#include "util/result.h"

namespace yume::platform {

// See FileSystem::real_path. `path` is absolute.
Result<std::filesystem::path> resolve_links(const std::filesystem::path& path);

// See FileSystem::names_of. `path` is absolute.
std::vector<std::filesystem::path> names_on_the_way(const std::filesystem::path& path);

enum class OpenWay {
  best,          // openat2 where the kernel has it
  step_by_step,  // one component at a time
};

// Closed with errno set on failure; ELOOP when a link is in the way. `real_path` is absolute and
// without "..". O_NOFOLLOW, O_NONBLOCK, O_NOCTTY and O_CLOEXEC are added to `flags`.
Descriptor open_resolved(const std::filesystem::path& real_path, int flags,
                         OpenWay way = OpenWay::best);

// A directory by its real path, made with its missing parents when there is none. Closed with errno
// set on failure; EMLINK when more than `most_new` would have to be made. One that may be entered
// but not listed is opened for that (O_PATH).
Descriptor open_or_make_directory(const std::filesystem::path& real_path, int most_new);

// The words for an errno of the functions above: a link that was not there is named as such.
Error error_opening(std::string_view what, int error_number);

}  // namespace yume::platform
