// SPDX-License-Identifier: MIT
// The privileges that a command behind a wall gives up: those with which root could look into other
// processes, read a disk past its file system, or take the wall down. Private to src/platform.
#pragma once

#include "platform/sandbox.h"

namespace yume::platform {

// For the calling process and all that it starts; no program that they run can get more. 0 or
// errno. Async-signal-safe.
int drop_privileges(bool is_root, NetworkAccess network) noexcept;

}  // namespace yume::platform
