// SPDX-License-Identifier: MIT
// What a file is besides its bytes. Private to src/platform; not a seam.
#pragma once

#include <filesystem>

#include "platform/file_status_win32.h"
#include "platform/handle_win32.h"

namespace yume::platform {

// Gives a new file the access list, the attributes (hidden, system, not indexed; read-only as well)
// and the creation time of the one that it shall replace. False when one of them cannot be given.
[[nodiscard]] bool take_over_attributes(const Handle& fresh, const Handle& old,
                                        const FileStatus& status);

}  // namespace yume::platform
