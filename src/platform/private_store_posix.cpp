// SPDX-License-Identifier: MIT
#include "platform/private_store.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <utility>

#include "platform/clock.h"
#include "platform/descriptor_posix.h"
#include "platform/private_folder_posix.h"
#include "util/path_text.h"

namespace yume::platform {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_largest_file = 64U * 1024U;
// flock can be neither cancelled nor polled for, so a busy lock is asked for again.
constexpr std::chrono::milliseconds k_lock_pause{10};

Error refuse(const fs::path& path, std::string_view why) {
  return Error{.code = ErrorCode::permission_denied,
               .message = "cannot use " + to_utf8(path) + ": " + std::string(why)};
}

struct Directory {
  fs::path path;
  Descriptor fd;
};

Result<Directory> open_directory(const fs::path& path) {
  YUME_TRY(Descriptor fd, open_private_folder(path));
  return Directory{path, std::move(fd)};
}

Result<std::string> read_all(int fd, const fs::path& path) {
  std::string bytes(k_largest_file + 1, '\0');
  std::size_t used = 0;
  while (used < bytes.size()) {
    const ssize_t got = ::read(fd, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return error_from_errno("cannot read " + to_utf8(path), errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
  }
  if (used > k_largest_file) return refuse(path, "it is too large");
  bytes.resize(used);
  return bytes;
}

class FileLock final : public StoreLock {
 public:
  explicit FileLock(Descriptor fd) : fd_(std::move(fd)) {}

 private:
  Descriptor fd_;  // closing it frees the lock
};

class PosixPrivateStore final : public PrivateStore {
 public:
  explicit PosixPrivateStore(std::vector<fs::path> directories)
      : directories_(std::move(directories)) {}

  Result<std::optional<std::string>> read(const std::string& name) const override;
  Result<void> write(const std::string& name, std::string_view bytes) override;
  Result<void> remove(const std::string& name) override;
  Result<std::unique_ptr<StoreLock>> lock(const std::string& name,
                                          const CancelToken& cancel) override;

 private:
  Result<Directory> directory() const;

  std::vector<fs::path> directories_;
};

Result<Directory> PosixPrivateStore::directory() const {
  Error last{.code = ErrorCode::not_found, .message = "there is no runtime directory"};
  for (const fs::path& path : directories_) {
    auto opened = open_directory(path);
    if (opened.ok()) return opened;
    last = opened.error();
  }
  return last;
}

Result<std::optional<std::string>> PosixPrivateStore::read(const std::string& name) const {
  YUME_TRY(const Directory place, directory());
  const fs::path path = place.path / name;
  // O_NONBLOCK: a FIFO would make the open wait.
  constexpr int k_flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  const Descriptor file(::openat(place.fd.get(), name.c_str(), k_flags));
  if (!file.is_open() && errno == ENOENT) return std::optional<std::string>();
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
    return error_from_errno("cannot read " + to_utf8(path), errno);
  }
  if (!S_ISREG(status.st_mode)) return refuse(path, "it is not a regular file");
  if (const auto safe = check_private(path, status); !safe) return safe.error();
  YUME_TRY(std::string bytes, read_all(file.get(), path));
  return std::optional(std::move(bytes));
}

Result<void> PosixPrivateStore::write(const std::string& name, std::string_view bytes) {
  YUME_TRY(const Directory place, directory());
  const fs::path path = place.path / name;
  const std::string fresh_name = name + ".new";
  // Left over when a writer was killed; it may be anything, so it is not written through.
  ::unlinkat(place.fd.get(), fresh_name.c_str(), 0);
  constexpr int k_flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  const Descriptor file(::openat(place.fd.get(), fresh_name.c_str(), k_flags, 0600));
  if (!file.is_open()) return error_from_errno("cannot write " + to_utf8(path), errno);
  auto written = write_all(file.get(), path, bytes);
  if (written.ok() &&
      ::renameat(place.fd.get(), fresh_name.c_str(), place.fd.get(), name.c_str()) != 0) {
    written = error_from_errno("cannot write " + to_utf8(path), errno);
  }
  if (!written.ok()) ::unlinkat(place.fd.get(), fresh_name.c_str(), 0);
  return written;
}

Result<void> PosixPrivateStore::remove(const std::string& name) {
  YUME_TRY(const Directory place, directory());
  if (::unlinkat(place.fd.get(), name.c_str(), 0) == 0 || errno == ENOENT) return {};
  return error_from_errno("cannot remove " + to_utf8(place.path / name), errno);
}

Result<std::unique_ptr<StoreLock>> PosixPrivateStore::lock(const std::string& name,
                                                           const CancelToken& cancel) {
  YUME_TRY(const Directory place, directory());
  const std::string what = "cannot lock " + to_utf8(place.path / name);
  constexpr int k_flags = O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
  Descriptor file(::openat(place.fd.get(), (name + ".lock").c_str(), k_flags, 0600));
  if (!file.is_open()) return error_from_errno(what, errno);
  while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) return error_from_errno(what, errno);
    if (!SystemClock().sleep_for(k_lock_pause, cancel)) {
      return Error{.code = ErrorCode::cancelled, .message = what + ": cancelled"};
    }
  }
  return std::unique_ptr<StoreLock>(std::make_unique<FileLock>(std::move(file)));
}

}  // namespace

std::vector<fs::path> private_directories(const Environment& environment) {
  std::vector<fs::path> directories;
  const fs::path runtime = environment.get("XDG_RUNTIME_DIR").value_or("");
  if (runtime.is_absolute()) directories.push_back(runtime / "yume-cli");
  directories.push_back("/tmp/yume-cli-" + std::to_string(::geteuid()));
  return directories;
}

std::unique_ptr<PrivateStore> make_private_store(std::vector<fs::path> directories) {
  return std::make_unique<PosixPrivateStore>(std::move(directories));
}

}  // namespace yume::platform
