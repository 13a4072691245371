// SPDX-License-Identifier: MIT
// One lock per file, for processes that agree on it: taken on a byte far behind every content,
// because nobody else could read what is locked. Freed when the handle is closed. Private to
// src/platform.
#pragma once

#include "platform/handle_win32.h"

namespace yume::platform {

enum class LockKind { shared, exclusive };

// ERROR_SUCCESS; ERROR_LOCK_VIOLATION when another holds it.
DWORD try_lock(const Handle& file, LockKind kind);

}  // namespace yume::platform
