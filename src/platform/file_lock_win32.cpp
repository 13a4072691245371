// SPDX-License-Identifier: MIT
#include "platform/file_lock_win32.h"

namespace yume::platform {

DWORD try_lock(const Handle& file, LockKind kind) {
  OVERLAPPED place{};
  place.OffsetHigh = 0x40000000U;
  const DWORD flags =
      LOCKFILE_FAIL_IMMEDIATELY | (kind == LockKind::exclusive ? LOCKFILE_EXCLUSIVE_LOCK : 0U);
  if (::LockFileEx(file.get(), flags, 0, 1, 0, &place) != 0) return ERROR_SUCCESS;
  const DWORD reason = ::GetLastError();
  return reason == ERROR_IO_PENDING ? ERROR_LOCK_VIOLATION : reason;
}

}  // namespace yume::platform
