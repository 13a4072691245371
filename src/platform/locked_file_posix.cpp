// SPDX-License-Identifier: MIT
#include "platform/locked_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <string>
#include <utility>

#include "platform/clock.h"
#include "platform/descriptor_posix.h"
#include "platform/kept_files.h"
#include "util/path_text.h"

namespace yume::platform {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::milliseconds k_glance{1'000};

std::string cannot(std::string_view verb, const fs::path& path) {
  return "cannot " + std::string(verb) + " " + to_utf8(path);
}

Error busy(const fs::path& path) {
  const auto pid = lock_holder(path);
  return Error{.code = ErrorCode::busy,
               .message = to_utf8(path) + " is open in " +
                          (pid ? "process " + std::to_string(*pid) : "another process")};
}

void sync_directory(const fs::path& path) {
  const Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.is_open()) sync_file(directory.get());
}

class PosixLockedFile final : public LockedFile {
 public:
  PosixLockedFile(fs::path path, Descriptor fd, bool fresh)
      : path_(std::move(path)), fd_(std::move(fd)), fresh_(fresh) {}

  [[nodiscard]] Result<std::uint64_t> size() const override;
  [[nodiscard]] Result<std::string> read(std::uint64_t from, std::uint64_t to) const override;
  Result<void> write(std::uint64_t at, std::string_view bytes) override;
  Result<void> cut(std::uint64_t size) override;
  Result<void> sync() override;

 private:
  fs::path path_;
  Descriptor fd_;
  bool fresh_;  // its directory entry may not be on disk yet
};

Result<std::uint64_t> PosixLockedFile::size() const {
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0) return error_from_errno(cannot("read", path_), errno);
  return static_cast<std::uint64_t>(status.st_size);
}

Result<std::string> PosixLockedFile::read(std::uint64_t from, std::uint64_t to) const {
  std::string part(static_cast<std::size_t>(to - from), '\0');
  for (std::size_t used = 0; used < part.size();) {
    const ssize_t got =
        ::pread(fd_.get(), part.data() + used, part.size() - used, static_cast<off_t>(from + used));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return error_from_errno(cannot("read", path_), got < 0 ? errno : EIO);
    used += static_cast<std::size_t>(got);
  }
  return part;
}

Result<void> PosixLockedFile::write(std::uint64_t at, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t now = ::pwrite(fd_.get(), bytes.data(), bytes.size(), static_cast<off_t>(at));
    if (now < 0 && errno == EINTR) continue;
    if (now <= 0) return error_from_errno(cannot("write", path_), now < 0 ? errno : EIO);
    at += static_cast<std::uint64_t>(now);
    bytes.remove_prefix(static_cast<std::size_t>(now));
  }
  return {};
}

Result<void> PosixLockedFile::cut(std::uint64_t size) {
  if (::ftruncate(fd_.get(), static_cast<off_t>(size)) == 0) return {};
  return error_from_errno(cannot("write", path_), errno);
}

Result<void> PosixLockedFile::sync() {
  if (sync_content(fd_.get()) != 0) return error_from_errno(cannot("save", path_), errno);
  if (std::exchange(fresh_, false)) sync_directory(path_.parent_path());
  return {};
}

bool is_same_file(int fd, const fs::path& path) {
  struct stat opened {};
  struct stat named {};
  return ::fstat(fd, &opened) == 0 && ::stat(path.c_str(), &named) == 0 &&
         opened.st_ino == named.st_ino && opened.st_dev == named.st_dev;
}

// False with errno. `patience`: who asks whether a file is locked holds it for a moment.
bool take_lock(int fd, std::chrono::milliseconds patience) {
  const SystemClock clock;
  const SteadyTime give_up = clock.steady_now() + patience;
  while (::flock(fd, LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK || clock.steady_now() >= give_up) return false;
    clock.sleep_for(std::chrono::milliseconds(1), {});
  }
  return true;
}

}  // namespace

Result<std::unique_ptr<LockedFile>> open_locked_file(const fs::path& path, OpenFor purpose) {
  const bool creating = purpose == OpenFor::creating;
  const int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (creating ? O_CREAT | O_EXCL : 0);
  Descriptor fd(::open(path.c_str(), flags, 0600));
  if (!fd.is_open()) {
    Error error = error_from_errno(cannot("open", path), errno);
    if (creating && errno == EEXIST) error.code = ErrorCode::invalid_argument;
    return error;
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = cannot("open", path) + ": not a regular file"};
  }
  if (!take_lock(fd.get(), creating ? k_glance : std::chrono::milliseconds(0))) {
    if (errno == EWOULDBLOCK) return busy(path);
    return error_from_errno(cannot("lock", path), errno);
  }
  if (!is_same_file(fd.get(), path)) {
    return Error{.code = ErrorCode::busy,
                 .message = to_utf8(path) + " is being replaced by another process"};
  }
  const bool fresh = status.st_size == 0;
  return std::unique_ptr<LockedFile>(std::make_unique<PosixLockedFile>(path, std::move(fd), fresh));
}

}  // namespace yume::platform
