// SPDX-License-Identifier: MIT
// Preloaded, it lets write() take one byte at a time from regular files' writers.
#include <dlfcn.h>
#include <sys/stat.h>
#include <unistd.h>

extern "C" __attribute__((visibility("default"))) ssize_t write(int fd, const void* bytes,
                                                                size_t size) {
  using Write = ssize_t (*)(int, const void*, size_t);
  static const auto real = reinterpret_cast<Write>(::dlsym(RTLD_NEXT, "write"));
  struct stat status {};
  const bool regular = ::fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
  return real(fd, bytes, regular && size > 1 ? 1 : size);
}
