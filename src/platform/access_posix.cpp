// SPDX-License-Identifier: MIT
#include "platform/access.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>

#include "platform/descriptor_posix.h"
#include "util/path_text.h"

namespace yume::platform {

namespace {

constexpr std::size_t k_probe_bytes = 64U << 10U;  // a disk without so much room is full

// The file loses its name before anything is written, so that a kill leaves nothing behind.
Result<void> try_to_write(const std::filesystem::path& directory) {
  const std::string what = "cannot write to " + to_utf8(directory);
  std::string name = to_utf8(directory / ".yume-probe-XXXXXX");
  const Descriptor file(::mkostemp(name.data(), O_CLOEXEC));
  if (!file.is_open()) return error_from_errno(what, errno);
  ::unlink(name.c_str());
  std::string rest(k_probe_bytes, '\0');
  for (std::string_view left = rest; !left.empty();) {
    const ssize_t written = ::write(file.get(), left.data(), left.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return error_from_errno(what, errno);
    left.remove_prefix(static_cast<std::size_t>(written));
  }
  // Some file systems find out only now. EINVAL: this one cannot be asked.
  if (sync_file(file.get()) != 0 && errno != EINVAL) return error_from_errno(what, errno);
  return {};
}

}  // namespace

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
    if (!missing) return error_from_errno("cannot use " + to_utf8(existing), failure);
    existing = existing.parent_path();
  }
  if (!S_ISDIR(info.st_mode)) return error_from_errno("cannot use " + to_utf8(existing), ENOTDIR);
  return try_to_write(existing);
}

}  // namespace yume::platform
