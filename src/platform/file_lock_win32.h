// SPDX-License-Identifier: MIT
// One lock per file, for processes that agree on it: taken on a byte far behind every content,
// because nobody else could read what is locked. Freed when the handle is closed. Private to
// src/platform.
#pragma once

#include <cstdint>
#include <optional>

#include "platform/file_status_win32.h"
#include "platform/handle_win32.h"

namespace yume::platform {

enum class LockKind { shared, exclusive };

// ERROR_SUCCESS; ERROR_LOCK_VIOLATION when another holds it.
DWORD try_lock(const Handle& file, LockKind kind);

// The system does not tell a lock's owner quickly (the Restart Manager asks every process). So the
// owner of this file's lock leaves its number in memory that others find by the file's identity,
// and that goes with the handle. Closed when that was not possible.
Handle leave_number(const FileStatus& file);
// nullopt: nobody in this login has left one.
std::optional<std::int64_t> number_left(const FileStatus& file);

}  // namespace yume::platform
