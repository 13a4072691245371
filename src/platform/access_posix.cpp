// SPDX-License-Identifier: MIT
#include "platform/access.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

#include "platform/descriptor_posix.h"

namespace yume::platform {

bool is_executable_file(const std::filesystem::path& path) {
  struct stat info {};
  return ::stat(path.c_str(), &info) == 0 && S_ISREG(info.st_mode) &&
         ::access(path.c_str(), X_OK) == 0;
}

Result<void> check_writable_directory(const std::filesystem::path& directory) {
  std::filesystem::path existing = directory;
  struct stat info {};
  while (::stat(existing.c_str(), &info) != 0) {
    const int failure = errno;
    const bool missing = failure == ENOENT && existing.has_relative_path();
    if (!missing) return error_from_errno("cannot use " + existing.string(), failure);
    existing = existing.parent_path();
  }
  if (!S_ISDIR(info.st_mode)) return error_from_errno("cannot use " + existing.string(), ENOTDIR);
  if (::access(existing.c_str(), W_OK | X_OK) == 0) return {};
  return error_from_errno("cannot write to " + existing.string(), errno);
}

}  // namespace yume::platform
