// SPDX-License-Identifier: MIT
// What the POSIX implementations share: owned descriptors, pipes, a wake-up for poll(), and errno
// in words. Private to src/platform; not a seam.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

#include "util/result.h"

namespace yume::platform {

class Descriptor {
 public:
  Descriptor() = default;
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(Descriptor&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Descriptor& operator=(Descriptor&& other) noexcept;
  ~Descriptor() { close(); }

  int get() const { return fd_; }
  bool is_open() const { return fd_ >= 0; }
  void close();                                     // does nothing when already closed
  int release() { return std::exchange(fd_, -1); }  // the caller closes it

 private:
  int fd_ = -1;
};

struct Pipe {
  Descriptor read_end;
  Descriptor write_end;
};

// Both ends close on exec and lie above the standard streams. The error's message is only the
// reason; the caller says what could not be done.
Result<Pipe> make_pipe();

// A nameless file with these bytes, to be read from its beginning. Above the standard streams and
// closed on exec, too.
Result<Descriptor> make_nameless_file(std::string_view bytes);

Result<void> set_nonblocking(int fd);

// Every byte, however many calls it takes. The message names the path.
Result<void> write_all(int fd, const std::filesystem::path& path, std::string_view bytes);

// fsync and fdatasync: afterwards what was written survives a power failure, also where the
// system's own calls leave it in the drive's cache (macOS). 0, or -1 with errno.
int sync_file(int fd);
int sync_content(int fd);

// Makes a poll() on fd() return, from any thread or from a cancel callback. Stays raised until
// lowered.
class Waker {
 public:
  Waker();
  bool usable() const { return pipe_.read_end.is_open(); }
  int fd() const { return pipe_.read_end.get(); }
  void raise() const;
  void lower() const;

 private:
  Pipe pipe_;
};

// "no such file or directory": the system's words as the second half of our messages.
std::string describe_errno(int error_number);

// `what` names the object: error_from_errno("cannot read /x", ENOENT).
Error error_from_errno(std::string_view what, int error_number);

}  // namespace yume::platform
