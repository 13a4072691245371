// SPDX-License-Identifier: MIT
// Stdin read by a thread of its own, because a read of a pipe can be neither waited for nor
// reliably cancelled here. There is one for the process: bytes that a cancelled read was waiting
// for are the next one's. Private to src/platform; not a seam.
#pragma once

#include <span>

#include "platform/handle_win32.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::platform {

// See InputStream::read. One thread at a time.
Result<std::size_t> read_stdin(std::span<char> buffer, const CancelToken& cancel);

}  // namespace yume::platform
