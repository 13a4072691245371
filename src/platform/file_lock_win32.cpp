// SPDX-License-Identifier: MIT
#include "platform/file_lock_win32.h"

#include <memory>
#include <string>

namespace yume::platform {
namespace {

std::wstring name_of_note(const FileStatus& file) {
  return LR"(Local\yume-cli-holder-)" + std::to_wstring(file.volume) + L"-" +
         std::to_wstring(file.info.inode);
}

using View = std::unique_ptr<void, BOOL(WINAPI*)(LPCVOID)>;

View view_of(const Handle& note, DWORD access) {
  return View(::MapViewOfFile(note.get(), access, 0, 0, sizeof(DWORD)), ::UnmapViewOfFile);
}

}  // namespace

DWORD try_lock(const Handle& file, LockKind kind) {
  OVERLAPPED place{};
  place.OffsetHigh = 0x40000000U;
  const DWORD flags =
      LOCKFILE_FAIL_IMMEDIATELY | (kind == LockKind::exclusive ? LOCKFILE_EXCLUSIVE_LOCK : 0U);
  if (::LockFileEx(file.get(), flags, 0, 1, 0, &place) != 0) return ERROR_SUCCESS;
  const DWORD reason = ::GetLastError();
  return reason == ERROR_IO_PENDING ? ERROR_LOCK_VIOLATION : reason;
}

Handle leave_number(const FileStatus& file) {
  Handle note(::CreateFileMappingW(INVALID_HANDLE_VALUE, nullptr, PAGE_READWRITE, 0, sizeof(DWORD),
                                   name_of_note(file).c_str()));
  if (!note.is_open()) return note;
  if (const View view = view_of(note, FILE_MAP_WRITE); view != nullptr) {
    *static_cast<DWORD*>(view.get()) = ::GetCurrentProcessId();
  }
  return note;
}

std::optional<std::int64_t> number_left(const FileStatus& file) {
  const Handle note(::OpenFileMappingW(FILE_MAP_READ, FALSE, name_of_note(file).c_str()));
  if (!note.is_open()) return std::nullopt;
  const View view = view_of(note, FILE_MAP_READ);
  if (view == nullptr) return std::nullopt;
  const DWORD number = *static_cast<const DWORD*>(view.get());
  return number == 0 ? std::nullopt : std::optional<std::int64_t>(number);
}

}  // namespace yume::platform
