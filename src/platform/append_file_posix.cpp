// SPDX-License-Identifier: MIT
#include "platform/append_file.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <system_error>

#include "platform/clock.h"
#include "platform/descriptor_posix.h"
#include "platform/kept_files.h"
#include "util/path_text.h"

namespace yume::platform {

namespace {

namespace fs = std::filesystem;

// A line longer than this was never ours; looking for its beginning could take minutes.
constexpr std::uint64_t k_longest_tail = 256U << 20U;
constexpr std::size_t k_block = 64U << 10U;
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

class PosixAppendFile final : public AppendFile {
 public:
  PosixAppendFile(fs::path path, Descriptor fd) : path_(std::move(path)), fd_(std::move(fd)) {}

  Result<void> repair(const std::function<Tail(std::string_view)>& classify_tail);
  using AppendFile::append;
  Result<void> append(std::span<const std::string_view> pieces) override;
  Result<void> sync() override;
  [[nodiscard]] std::uint64_t size() const override { return size_; }

 private:
  Result<std::string> read_part(std::uint64_t from, std::uint64_t to) const;
  Result<std::string> read_tail(std::uint64_t end) const;
  Result<void> cut_back();

  fs::path path_;
  Descriptor fd_;
  std::uint64_t size_ = 0;  // of whole lines
  bool overhang_ = false;   // something of a failed write may lie behind them
  bool fresh_ = true;       // its directory entry may not be on disk yet
};

Result<std::string> PosixAppendFile::read_part(std::uint64_t from, std::uint64_t to) const {
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

// What follows the last newline, which is looked for backwards block by block.
Result<std::string> PosixAppendFile::read_tail(std::uint64_t end) const {
  for (std::uint64_t at = end; at > 0 && end - at <= k_longest_tail;) {
    const std::uint64_t from = at - std::min<std::uint64_t>(at, k_block);
    YUME_TRY(const std::string block, read_part(from, at));
    const std::size_t newline = block.rfind('\n');
    if (newline != std::string::npos) return read_part(from + newline + 1, end);
    at = from;
  }
  if (end <= k_longest_tail) return read_part(0, end);
  return Error{.code = ErrorCode::too_large,
               .message = cannot("use", path_) + ": its last line is longer than 256 MB"};
}

Result<void> PosixAppendFile::repair(const std::function<Tail(std::string_view)>& classify_tail) {
  struct stat status {};
  if (::fstat(fd_.get(), &status) != 0) return error_from_errno(cannot("read", path_), errno);
  size_ = static_cast<std::uint64_t>(status.st_size);
  fresh_ = size_ == 0;
  YUME_TRY(const std::string tail, read_tail(size_));
  if (tail.empty()) return {};
  if (classify_tail(tail) == Tail::whole) return append("\n");
  size_ -= tail.size();
  overhang_ = true;
  return cut_back();
}

Result<void> PosixAppendFile::cut_back() {
  if (!overhang_) return {};
  if (::ftruncate(fd_.get(), static_cast<off_t>(size_)) != 0) {
    return error_from_errno(cannot("write", path_), errno);
  }
  overhang_ = false;
  return {};
}

Result<void> PosixAppendFile::append(std::span<const std::string_view> pieces) {
  std::size_t size = 0;
  for (const std::string_view piece : pieces) size += piece.size();
  if (pieces.size() > 1 && size <= k_block) {  // one call for what is short
    std::string joined;
    joined.reserve(size);
    for (const std::string_view piece : pieces) joined += piece;
    return append(std::string_view(joined));
  }
  if (const auto clean = cut_back(); !clean) return clean.error();
  std::size_t written = 0;
  for (std::string_view rest : pieces) {
    while (!rest.empty()) {
      const ssize_t now =
          ::pwrite(fd_.get(), rest.data(), rest.size(), static_cast<off_t>(size_ + written));
      if (now < 0 && errno == EINTR) continue;
      if (now <= 0) {
        const int reason = now < 0 ? errno : EIO;
        overhang_ = written > 0;
        (void)cut_back();
        return error_from_errno(cannot("write", path_), reason);
      }
      written += static_cast<std::size_t>(now);
      rest.remove_prefix(static_cast<std::size_t>(now));
    }
  }
  size_ += written;
  return {};
}

Result<void> PosixAppendFile::sync() {
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

Result<Descriptor> open_locked(const AppendFileSpec& spec) {
  const bool creating = spec.purpose == OpenFor::creating;
  const int flags = O_RDWR | O_CLOEXEC | O_NONBLOCK | O_NOCTTY | (creating ? O_CREAT | O_EXCL : 0);
  Descriptor fd(::open(spec.path.c_str(), flags, 0600));
  if (!fd.is_open()) {
    Error error = error_from_errno(cannot("open", spec.path), errno);
    if (creating && errno == EEXIST) error.code = ErrorCode::invalid_argument;
    return error;
  }
  struct stat status {};
  if (::fstat(fd.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = cannot("open", spec.path) + ": not a regular file"};
  }
  if (!take_lock(fd.get(), creating ? k_glance : std::chrono::milliseconds(0))) {
    if (errno == EWOULDBLOCK) return busy(spec.path);
    return error_from_errno(cannot("lock", spec.path), errno);
  }
  if (is_same_file(fd.get(), spec.path)) return fd;
  return Error{.code = ErrorCode::busy,
               .message = to_utf8(spec.path) + " is being replaced by another process"};
}

}  // namespace

Result<std::unique_ptr<AppendFile>> open_append_file(const AppendFileSpec& spec) {
  if (spec.purpose == OpenFor::creating) {
    if (const auto made = make_private_directories(spec.path.parent_path()); !made)
      return made.error();
  }
  YUME_TRY(Descriptor fd, open_locked(spec));
  auto file = std::make_unique<PosixAppendFile>(spec.path, std::move(fd));
  if (const auto repaired = file->repair(spec.classify_tail); !repaired) return repaired.error();
  return std::unique_ptr<AppendFile>(std::move(file));
}

}  // namespace yume::platform
