// SPDX-License-Identifier: MIT
#include "platform/descriptor_posix.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cctype>
#include <cerrno>
#include <cstdlib>
#include <system_error>

#include "util/path_text.h"

namespace yume::platform {

namespace {

ErrorCode code_of(int error_number) {
  switch (error_number) {
    case ENOENT:
      return ErrorCode::not_found;
    case EACCES:
    case EPERM:
    case EROFS:
      return ErrorCode::permission_denied;
    case EINVAL:
    case EISDIR:
    case ELOOP:
    case ENAMETOOLONG:
    case ENOEXEC:
    case ENOTDIR:
      return ErrorCode::invalid_argument;
    case E2BIG:
    case EFBIG:
      return ErrorCode::too_large;
    default:
      return ErrorCode::io;
  }
}

int open_pipe(std::array<int, 2>& ends) {
#if defined(__linux__)
  return ::pipe2(ends.data(), O_CLOEXEC);
#else
  if (::pipe(ends.data()) != 0) return -1;
  for (const int fd : ends) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return 0;
#endif
}

Descriptor open_nameless() {
#if defined(__linux__)
  return Descriptor(::memfd_create("yume-input", MFD_CLOEXEC));
#else
  std::string name = to_utf8(std::filesystem::temp_directory_path() / "yume-input-XXXXXX");
  const int fd = ::mkstemp(name.data());
  if (fd < 0) return Descriptor();
  ::unlink(name.c_str());
  ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  return Descriptor(fd);
#endif
}

// A pipe that took the number of a closed standard stream would be overwritten by dup2 in a child.
Descriptor above_standard_streams(Descriptor fd) {
  if (fd.get() > STDERR_FILENO) return fd;
  return Descriptor(::fcntl(fd.get(), F_DUPFD_CLOEXEC, STDERR_FILENO + 1));
}

}  // namespace

#if defined(F_FULLFSYNC)
int sync_file(int fd) {
  // Network and foreign file systems may not know it.
  return ::fcntl(fd, F_FULLFSYNC) == 0 ? 0 : ::fsync(fd);
}

int sync_content(int fd) {
  return sync_file(fd);
}
#else
int sync_file(int fd) {
  return ::fsync(fd);
}

int sync_content(int fd) {
  return ::fdatasync(fd);
}
#endif

Descriptor& Descriptor::operator=(Descriptor&& other) noexcept {
  if (this != &other) {
    close();
    fd_ = std::exchange(other.fd_, -1);
  }
  return *this;
}

void Descriptor::close() {
  // Not repeated on EINTR: Linux has released the number by then.
  if (fd_ >= 0) ::close(std::exchange(fd_, -1));
}

Result<Pipe> make_pipe() {
  std::array<int, 2> ends{};
  if (open_pipe(ends) != 0) return error_from_errno({}, errno);
  Pipe pipe;
  pipe.read_end = above_standard_streams(Descriptor(ends[0]));
  pipe.write_end = above_standard_streams(Descriptor(ends[1]));
  if (!pipe.read_end.is_open() || !pipe.write_end.is_open()) return error_from_errno({}, EMFILE);
  return pipe;
}

Result<Descriptor> make_nameless_file(std::string_view bytes) {
  Descriptor file = above_standard_streams(open_nameless());
  if (!file.is_open()) return error_from_errno({}, errno);
  for (std::size_t done = 0; done < bytes.size();) {
    const ssize_t written =
        ::pwrite(file.get(), bytes.data() + done, bytes.size() - done, static_cast<off_t>(done));
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return error_from_errno({}, written < 0 ? errno : EIO);
    done += static_cast<std::size_t>(written);
  }
  return file;
}

Result<void> write_all(int fd, const std::filesystem::path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return error_from_errno("cannot write " + to_utf8(path), errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

Result<void> set_nonblocking(int fd) {
  const int flags = ::fcntl(fd, F_GETFL);
  if (flags < 0 || ::fcntl(fd, F_SETFL, flags | O_NONBLOCK) != 0) {
    return error_from_errno({}, errno);
  }
  return {};
}

Waker::Waker() {
  auto pipe = make_pipe();
  if (!pipe) return;
  if (!set_nonblocking(pipe->read_end.get()) || !set_nonblocking(pipe->write_end.get())) return;
  pipe_ = std::move(*pipe);
}

void Waker::raise() const {
  // A full pipe is raised already, and we hold the reading end, so there is no SIGPIPE.
  [[maybe_unused]] const auto written = ::write(pipe_.write_end.get(), "w", 1);
}

void Waker::lower() const {
  std::array<char, 64> buffer;
  while (::read(pipe_.read_end.get(), buffer.data(), buffer.size()) > 0) {
  }
}

std::string describe_errno(int error_number) {
  std::string text = std::generic_category().message(error_number);
  if (!text.empty()) text[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(text[0])));
  return text;
}

Error error_from_errno(std::string_view what, int error_number) {
  std::string message(what);
  if (!message.empty()) message += ": ";
  message += describe_errno(error_number);
  return Error{.code = code_of(error_number), .message = std::move(message)};
}

}  // namespace yume::platform
