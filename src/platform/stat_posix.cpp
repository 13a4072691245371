// SPDX-License-Identifier: MIT
#include "platform/stat_posix.h"

#include <fcntl.h>

namespace yume::platform {

FileKind kind_of(mode_t mode) {
  if (S_ISREG(mode)) return FileKind::regular;
  if (S_ISDIR(mode)) return FileKind::directory;
  if (S_ISLNK(mode)) return FileKind::symlink;
  return FileKind::other;
}

FileInfo info_of(const struct stat& status) {
  return {.kind = kind_of(status.st_mode),
          .size = static_cast<std::uint64_t>(status.st_size),
          .modified_ns = modified_ns(status),
          .inode = status.st_ino,
          .hard_links = static_cast<std::uint32_t>(status.st_nlink)};
}

FileKind kind_of_entry(int directory, const dirent& entry) {
  switch (entry.d_type) {
    case DT_REG:
      return FileKind::regular;
    case DT_DIR:
      return FileKind::directory;
    case DT_LNK:
      return FileKind::symlink;
    case DT_UNKNOWN:
      break;  // this file system does not tell
    default:
      return FileKind::other;
  }
  struct stat status {};
  if (::fstatat(directory, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) return FileKind::other;
  return kind_of(status.st_mode);
}

std::int64_t modified_ns(const struct stat& status) {
#if defined(__APPLE__)
  const timespec& time = status.st_mtimespec;
#else
  const timespec& time = status.st_mtim;
#endif
  return static_cast<std::int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

}  // namespace yume::platform
