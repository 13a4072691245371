// SPDX-License-Identifier: MIT
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include <cstdio>
#include <memory>

#include "platform/kept_files.h"

namespace yume::platform {

// By the kernel's own list (" 1: FLOCK  ADVISORY  WRITE 1234 fe:00:5678 0 EOF").
std::optional<std::int64_t> lock_holder(const std::filesystem::path& path) {
  struct stat file {};
  if (::stat(path.c_str(), &file) != 0) return std::nullopt;
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> locks(std::fopen("/proc/locks", "re"),
                                                              std::fclose);
  if (locks == nullptr) return std::nullopt;
  char line[256];
  while (std::fgets(line, sizeof line, locks.get()) != nullptr) {
    int pid = 0;
    unsigned device_major = 0;
    unsigned device_minor = 0;
    unsigned long inode = 0;
    const int found = std::sscanf(line, "%*d: FLOCK ADVISORY WRITE %d %x:%x:%lu", &pid,
                                  &device_major, &device_minor, &inode);
    if (found == 4 && inode == file.st_ino && device_major == major(file.st_dev) &&
        device_minor == minor(file.st_dev)) {
      return pid;
    }
  }
  return std::nullopt;
}

}  // namespace yume::platform
