// SPDX-License-Identifier: MIT
#include "platform/kept_files.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

#include "platform/descriptor_posix.h"
#include "util/path_text.h"
#include "util/uuid.h"

namespace yume::platform {

namespace {

namespace fs = std::filesystem;

// flock can be neither cancelled nor polled for, so a busy lock is asked for again.
constexpr std::chrono::milliseconds k_lock_pause{5};

std::string cannot(std::string_view verb, const fs::path& path) {
  return "cannot " + std::string(verb) + " " + to_utf8(path);
}

class PosixFileLock final : public FileLock {
 public:
  explicit PosixFileLock(Descriptor fd) : fd_(std::move(fd)) {}

 private:
  Descriptor fd_;  // closing it frees the lock
};

void sync_directory(const fs::path& path) {
  const Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.is_open()) sync_file(directory.get());
}

class PosixReplacement final : public PrivateReplacement {
 public:
  PosixReplacement(fs::path path, fs::path fresh, Descriptor fd)
      : path_(std::move(path)), fresh_(std::move(fresh)), fd_(std::move(fd)) {}
  ~PosixReplacement() override {
    if (!in_place_) ::unlink(fresh_.c_str());
  }
  PosixReplacement(const PosixReplacement&) = delete;
  PosixReplacement& operator=(const PosixReplacement&) = delete;

  Result<void> write(std::string_view piece) override { return write_all(fd_.get(), path_, piece); }

  Result<void> finish(Durability durability) override {
    const bool wait = durability == Durability::survives_power_cut;
    if (wait && sync_content(fd_.get()) != 0) return error_from_errno(cannot("save", path_), errno);
    if (::rename(fresh_.c_str(), path_.c_str()) != 0) {
      return error_from_errno(cannot("write", path_), errno);
    }
    in_place_ = true;
    if (wait) sync_directory(path_.parent_path());
    return {};
  }

 private:
  fs::path path_;
  fs::path fresh_;
  Descriptor fd_;
  bool in_place_ = false;
};

}  // namespace

Result<std::unique_ptr<FileLock>> lock_file(const fs::path& path,
                                            std::chrono::milliseconds patience,
                                            const Clock& clock) {
  constexpr int k_flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Descriptor fd(::open(path.c_str(), k_flags, 0600));
  if (!fd.is_open()) return error_from_errno(cannot("lock", path), errno);
  const SteadyTime give_up = clock.steady_now() + patience;
  while (::flock(fd.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      return error_from_errno(cannot("lock", path), errno);
    }
    if (clock.steady_now() >= give_up) {
      return Error{.code = ErrorCode::busy,
                   .message = cannot("lock", path) + ": another process does not let go of it"};
    }
    clock.sleep_for(k_lock_pause, {});
  }
  return std::unique_ptr<FileLock>(std::make_unique<PosixFileLock>(std::move(fd)));
}

bool is_locked(const fs::path& path) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  return fd.is_open() && ::flock(fd.get(), LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
}

Result<std::string> read_part(const fs::path& path, std::uint64_t from, std::size_t max_bytes) {
  const Descriptor fd(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (!fd.is_open() || ::fstat(fd.get(), &status) != 0) {
    return error_from_errno(cannot("read", path), errno);
  }
  if (!S_ISREG(status.st_mode)) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = cannot("read", path) + ": not a regular file"};
  }
  const auto size = static_cast<std::uint64_t>(status.st_size);
  const std::uint64_t left = size > from ? size - from : 0;
  std::string part(static_cast<std::size_t>(std::min<std::uint64_t>(left, max_bytes)), '\0');
  std::size_t used = 0;
  while (used < part.size()) {
    const ssize_t got =
        ::pread(fd.get(), part.data() + used, part.size() - used, static_cast<off_t>(from + used));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return error_from_errno(cannot("read", path), errno);
    if (got == 0) break;  // it has become shorter
    used += static_cast<std::size_t>(got);
  }
  part.resize(used);
  return part;
}

// Mode 0700 for what is made here: conversations are nobody else's business.
Result<void> make_private_directories(const fs::path& path) {
  struct stat status {};
  if (path.empty() || ::stat(path.c_str(), &status) == 0) return {};
  if (const auto made = make_private_directories(path.parent_path()); !made) return made.error();
  if (::mkdir(path.c_str(), 0700) == 0 || errno == EEXIST) return {};
  return error_from_errno(cannot("create directory", path), errno);
}

Result<std::unique_ptr<PrivateReplacement>> begin_replacing(const fs::path& path) {
  fs::path fresh = path.parent_path() / (".yume-" + random_hex(16) + ".tmp");
  constexpr int k_flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  Descriptor fd(::open(fresh.c_str(), k_flags, 0600));
  if (!fd.is_open()) return error_from_errno(cannot("write", path), errno);
  return std::unique_ptr<PrivateReplacement>(
      std::make_unique<PosixReplacement>(path, std::move(fresh), std::move(fd)));
}

Result<void> replace_private(const fs::path& path, std::string_view bytes, Durability durability) {
  YUME_TRY(const auto replacement, begin_replacing(path));
  if (auto written = replacement->write(bytes); !written) return written;
  return replacement->finish(durability);
}

Result<void> rename_file(const fs::path& from, const fs::path& to) {
  if (::rename(from.c_str(), to.c_str()) == 0) return {};
  return error_from_errno(cannot("rename", from), errno);
}

Result<void> remove_tree(const fs::path& path) {
  std::error_code failed;
  fs::remove_all(path, failed);
  if (!failed) return {};
  return error_from_errno(cannot("remove", path), failed.value());
}

}  // namespace yume::platform
