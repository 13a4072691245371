// SPDX-License-Identifier: MIT
#include "platform/replace_win32.h"

#include <cstring>
#include <vector>

#include "platform/clock.h"
#include "platform/system_path_win32.h"

namespace yume::platform {

namespace fs = std::filesystem;

namespace {

constexpr std::chrono::seconds k_patience{2};  // for a virus scanner, an editor that reads
constexpr std::chrono::milliseconds k_pause{2};
constexpr int k_most_unexplained = 20;

// Since Windows 10, version 1607; older headers have no names for them.
constexpr auto k_rename_info_ex = static_cast<FILE_INFO_BY_HANDLE_CLASS>(22);
constexpr DWORD k_replace_if_exists = 1;
constexpr DWORD k_posix_semantics = 2;
constexpr DWORD k_ignore_read_only = 0x40;

// As the system lays out FILE_RENAME_INFO, with its newer form of the first member.
struct RenameInfo {
  DWORD flags;
  HANDLE root;
  DWORD name_bytes;
  wchar_t name[1];
};

DWORD rename_open(const Handle& file, const std::wstring& to, FILE_INFO_BY_HANDLE_CLASS way,
                  DWORD flags) {
  const std::size_t name_bytes = to.size() * sizeof(wchar_t);
  std::vector<std::byte> storage(sizeof(RenameInfo) + name_bytes);  // with a zero behind the name
  const RenameInfo info{
      .flags = flags, .root = nullptr, .name_bytes = static_cast<DWORD>(name_bytes), .name = {}};
  std::memcpy(storage.data(), &info, sizeof info);
  std::memcpy(storage.data() + offsetof(RenameInfo, name), to.data(), name_bytes);
  const bool done = ::SetFileInformationByHandle(file.get(), way, storage.data(),
                                                 static_cast<DWORD>(storage.size())) != 0;
  const DWORD reason = ::GetLastError();
  // wine gives no reason for a way that it does not know.
  return done ? ERROR_SUCCESS : reason == ERROR_SUCCESS ? ERROR_INVALID_PARAMETER : reason;
}

bool is_in_the_way_for_now(DWORD reason) {
  return reason == ERROR_SHARING_VIOLATION || reason == ERROR_ACCESS_DENIED ||
         reason == ERROR_LOCK_VIOLATION || reason == ERROR_USER_MAPPED_FILE;
}

// One step of the file system, which readers of the old file do not stand in the way of. A file
// system without the newer way (FAT, an old share, wine) refuses it as something unknown.
DWORD rename_either_way(const Handle& file, const std::wstring& to) {
  constexpr DWORD k_flags = k_replace_if_exists | k_posix_semantics | k_ignore_read_only;
  const DWORD newer = rename_open(file, to, k_rename_info_ex, k_flags);
  if (newer == ERROR_SUCCESS || newer == ERROR_SHARING_VIOLATION) return newer;
  return rename_open(file, to, FileRenameInfo, k_replace_if_exists);
}

// Where nothing stands in the way, waiting for it to go would only take time.
bool is_open_elsewhere(const fs::path& path) {
  const Handle alone(::CreateFileW(system_path(path).c_str(), DELETE, 0, nullptr, OPEN_EXISTING,
                                   FILE_FLAG_OPEN_REPARSE_POINT, nullptr));
  return !alone.is_open() && ::GetLastError() == ERROR_SHARING_VIOLATION;
}

}  // namespace

DWORD rename_over(const Handle& file, const fs::path& to) {
  const SystemClock clock;
  const SteadyTime give_up = clock.steady_now() + k_patience;
  int unexplained = 0;
  for (;;) {
    const DWORD reason = rename_either_way(file, system_path(to));
    if (!is_in_the_way_for_now(reason)) return reason;
    // Whoever had it open may be gone by now.
    const bool held = is_open_elsewhere(to);
    if (!held) ++unexplained;
    if (clock.steady_now() >= give_up) return held ? ERROR_SHARING_VIOLATION : reason;
    if (unexplained > k_most_unexplained) return reason;
    clock.sleep_for(k_pause, {});
  }
}

}  // namespace yume::platform
