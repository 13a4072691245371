// SPDX-License-Identifier: MIT
#include "platform/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <deque>
#include <optional>
#include <system_error>

#include "platform/descriptor_posix.h"
#include "platform/search_tree_posix.h"
#include "platform/stat_posix.h"

namespace yume::platform {

namespace {

namespace fs = std::filesystem;

constexpr int k_most_links = 40;  // as the Linux kernel
constexpr int k_temporary_name_attempts = 16;
constexpr mode_t k_permission_bits = 07777;
constexpr mode_t k_plain_permission_bits = 0777;  // without set-user-id, set-group-id, sticky

std::string cannot(std::string_view verb, const fs::path& path) {
  return "cannot " + std::string(verb) + " " + path.string();
}

Error refuse(std::string_view verb, const fs::path& path, std::string_view reason,
             ErrorCode code = ErrorCode::invalid_argument) {
  return Error{.code = code, .message = cannot(verb, path) + ": " + std::string(reason)};
}

// The system would silently use only the part before the NUL.
Result<void> check_path(std::string_view verb, const fs::path& path) {
  if (path.empty()) return refuse(verb, "\"\"", "the path is empty");
  const std::string& bytes = path.native();
  const std::size_t nul = bytes.find('\0');
  if (nul != std::string::npos) {
    return refuse(verb, bytes.substr(0, nul), "the path contains a NUL byte");
  }
  return {};
}

// stat for a caller who asks whether something is there: below a file there is nothing.
Result<struct stat> status_of(std::string_view verb, const fs::path& path) {
  if (const auto checked = check_path(verb, path); !checked) return checked.error();
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return status;
  const int reason = errno;
  Error error = error_from_errno(cannot(verb, path), reason);
  if (reason == ENOTDIR) error.code = ErrorCode::not_found;
  return error;
}

Result<void> require_regular(std::string_view verb, const fs::path& path, mode_t mode) {
  if (S_ISREG(mode)) return {};
  return refuse(verb, path, S_ISDIR(mode) ? "is a directory" : "not a regular file");
}

Error too_large(const fs::path& path, std::uint64_t max_bytes) {
  return refuse("read", path, "larger than " + std::to_string(max_bytes) + " bytes",
                ErrorCode::too_large);
}

// `size` is a hint: files in /proc say 0, and any file may grow or shrink meanwhile.
Result<std::string> read_all(int fd, const fs::path& path, std::uint64_t size,
                             std::uint64_t max_bytes) {
  constexpr std::size_t k_least_room = 4096;
  std::string bytes;
  std::size_t used = 0;
  for (;;) {
    if (used == bytes.size()) {
      // One byte more than expected, so that the usual file ends with the second read.
      bytes.resize(used == 0 ? std::max<std::size_t>(size + 1, k_least_room) : used * 2);
    }
    const ssize_t got = ::read(fd, bytes.data() + used, bytes.size() - used);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return error_from_errno(cannot("read", path), errno);
    if (got == 0) break;
    used += static_cast<std::size_t>(got);
    if (used > max_bytes) return too_large(path, max_bytes);
  }
  bytes.resize(used);
  return bytes;
}

Result<void> write_all(int fd, const fs::path& path, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(fd, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return error_from_errno(cannot("write", path), errno);
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
  return {};
}

// A new file beside the target that disappears again unless it is renamed over it.
class TemporaryFile {
 public:
  static Result<TemporaryFile> create(const Descriptor& directory, const fs::path& target,
                                      mode_t mode) {
    for (int attempt = 0; attempt < k_temporary_name_attempts; ++attempt) {
      const std::string name = random_name();
      constexpr int k_flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
      Descriptor file(::openat(directory.get(), name.c_str(), k_flags, mode));
      if (file.is_open()) return TemporaryFile(directory, std::move(file), name);
      if (errno != EEXIST) break;
    }
    return error_from_errno(cannot("write", target), errno);
  }

  TemporaryFile(TemporaryFile&& other) noexcept
      : directory_(other.directory_),
        file_(std::move(other.file_)),
        name_(std::exchange(other.name_, {})) {}
  ~TemporaryFile() {
    if (!name_.empty()) ::unlinkat(directory_.get(), name_.c_str(), 0);
  }

  int fd() const { return file_.get(); }

  bool rename_to(const std::string& name) {
    if (::renameat(directory_.get(), name_.c_str(), directory_.get(), name.c_str()) != 0) {
      return false;
    }
    name_.clear();
    return true;
  }

 private:
  TemporaryFile(const Descriptor& directory, Descriptor file, std::string name)
      : directory_(directory), file_(std::move(file)), name_(std::move(name)) {}

  // Recognisable, so that one left by a kill can be removed; short, whatever the target is called.
  static std::string random_name() {
    std::array<unsigned char, 8> random{};
    [[maybe_unused]] const int failed = ::getentropy(random.data(), random.size());
    constexpr std::string_view k_digits = "0123456789abcdef";
    std::string name = ".yume-";
    for (const unsigned char byte : random) {
      name += k_digits[byte >> 4];
      name += k_digits[byte & 15];
    }
    return name + ".tmp";
  }

  const Descriptor& directory_;
  Descriptor file_;
  std::string name_;  // empty once renamed or moved from
};

// Nobody but root can give a file away; then it becomes ours, and must not gain our privileges.
void copy_owner_and_mode(int fd, const struct stat& old) {
  struct stat fresh {};
  bool same_owner =
      ::fstat(fd, &fresh) == 0 && fresh.st_uid == old.st_uid && fresh.st_gid == old.st_gid;
  if (!same_owner) same_owner = ::fchown(fd, old.st_uid, old.st_gid) == 0;
  // After fchown, which clears set-user-id.
  ::fchmod(fd, old.st_mode & (same_owner ? k_permission_bits : k_plain_permission_bits));
}

Result<void> sync_directory(const Descriptor& directory, const fs::path& path) {
  // Some network file systems cannot sync directories and say EINVAL.
  if (::fsync(directory.get()) == 0 || errno == EINVAL || errno == ENOTSUP) return {};
  return error_from_errno(cannot("sync the directory of", path), errno);
}

// The file as it is now; nullopt when the target does not exist yet.
Result<std::optional<struct stat>> existing_file(const Descriptor& directory,
                                                 const fs::path& target) {
  struct stat old {};
  const std::string name = target.filename().native();
  if (::fstatat(directory.get(), name.c_str(), &old, AT_SYMLINK_NOFOLLOW) != 0) {
    if (errno == ENOENT) return std::optional<struct stat>();
    return error_from_errno(cannot("write", target), errno);
  }
  if (const auto regular = require_regular("write", target, old.st_mode); !regular) {
    return regular.error();
  }
  return std::optional(old);
}

// real_path, one component at a time; `pending` holds what is still to be walked.
class PathResolver {
 public:
  explicit PathResolver(const fs::path& path) : asked_(path) { push_front(path); }

  Result<fs::path> resolve() {
    while (!pending_.empty()) {
      const std::string name = std::move(pending_.front());
      pending_.pop_front();
      if (name.empty() || name == ".") continue;
      if (name == "..") {
        real_ = real_.parent_path();  // the root is its own parent
        continue;
      }
      const auto stepped = step(name);
      if (!stepped) return stepped.error();
    }
    return real_;
  }

 private:
  void push_front(const fs::path& path) {
    if (path.is_absolute()) real_ = "/";
    std::deque<std::string> names;
    for (const fs::path& name : path.relative_path()) names.push_back(name.native());
    pending_.insert(pending_.begin(), names.begin(), names.end());
  }

  Result<void> step(const std::string& name) {
    const fs::path next = real_ / name;
    std::array<char, 4096> target;
    const ssize_t length = ::readlink(next.c_str(), target.data(), target.size());
    if (length >= 0) {
      if (++links_ > k_most_links) return error_from_errno(cannot("resolve", asked_), ELOOP);
      // Also when the link dangles: a write through it would land where it points.
      push_front(std::string(target.data(), static_cast<std::size_t>(length)));
      return {};
    }
    // EINVAL: there, but not a link. Missing names are kept as they are.
    if (errno != EINVAL && errno != ENOENT && errno != ENOTDIR) {
      return error_from_errno(cannot("resolve", asked_), errno);
    }
    real_ = next;
    return {};
  }

  const fs::path& asked_;
  fs::path real_ = "/";
  std::deque<std::string> pending_;
  int links_ = 0;
};

class PosixFileSystem final : public FileSystem {
 public:
  Result<FileInfo> info(const fs::path& path) const override {
    YUME_TRY(const struct stat status, status_of("inspect", path));
    return FileInfo{.kind = kind_of(status.st_mode),
                    .size = static_cast<std::uint64_t>(status.st_size),
                    .modified_ns = modified_ns(status),
                    .inode = status.st_ino,
                    .hard_links = static_cast<std::uint32_t>(status.st_nlink)};
  }

  Result<std::string> read(const fs::path& path, std::uint64_t max_bytes) const override;
  Result<void> replace(const fs::path& path, std::string_view bytes) override;
  Result<std::unique_ptr<GrowingFile>> create_private(const fs::path& path) override;
  Result<void> create_directories(const fs::path& path) override;
  Result<std::vector<DirectoryEntry>> list(const fs::path& path) const override;
  Result<fs::path> real_path(const fs::path& path) const override;
  Result<std::unique_ptr<SearchTree>> open_tree(const fs::path& path) const override {
    if (const auto checked = check_path("search", path); !checked) return checked.error();
    return open_posix_tree(path);
  }
};

Result<std::string> PosixFileSystem::read(const fs::path& path, std::uint64_t max_bytes) const {
  // Asked before opening too, because merely opening some devices acts on them.
  YUME_TRY(const struct stat before, status_of("read", path));
  if (const auto ok = require_regular("read", path, before.st_mode); !ok) return ok.error();
  // O_NONBLOCK in case it has been exchanged for a FIFO meanwhile.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
    return error_from_errno(cannot("read", path), errno);
  }
  if (const auto ok = require_regular("read", path, status.st_mode); !ok) return ok.error();
  const auto size = static_cast<std::uint64_t>(status.st_size);
  if (size > max_bytes) return too_large(path, max_bytes);
  return read_all(file.get(), path, size, max_bytes);
}

Result<void> PosixFileSystem::replace(const fs::path& path, std::string_view bytes) {
  if (const auto checked = check_path("write", path); !checked) return checked.error();
  YUME_TRY(const fs::path target, real_path(path));
  if (!path.has_filename() || !target.has_filename())
    return refuse("write", path, "is a directory");
  const fs::path parent = target.parent_path();
  const Descriptor directory(::open(parent.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.is_open()) return error_from_errno(cannot("write", target), errno);
  YUME_TRY(const auto old, existing_file(directory, target));
  // Private until it has the old file's permissions; a new file follows the umask.
  YUME_TRY(TemporaryFile fresh, TemporaryFile::create(directory, target, old ? 0600 : 0666));
  if (old) copy_owner_and_mode(fresh.fd(), *old);
  if (const auto written = write_all(fresh.fd(), target, bytes); !written) return written.error();
  if (::fsync(fresh.fd()) != 0 || !fresh.rename_to(target.filename().native())) {
    return error_from_errno(cannot("write", target), errno);
  }
  return sync_directory(directory, target);
}

class PosixGrowingFile final : public GrowingFile {
 public:
  PosixGrowingFile(Descriptor file, fs::path path)
      : file_(std::move(file)), path_(std::move(path)) {}

  Result<void> append(std::string_view bytes) override {
    return write_all(file_.get(), path_, bytes);
  }

 private:
  Descriptor file_;
  fs::path path_;
};

Result<std::unique_ptr<GrowingFile>> PosixFileSystem::create_private(const fs::path& path) {
  if (const auto made = create_directories(path.parent_path()); !made) return made.error();
  if (::chmod(path.parent_path().c_str(), S_IRWXU) != 0) {
    return error_from_errno(cannot("write", path), errno);
  }
  if (::unlink(path.c_str()) != 0 && errno != ENOENT) {
    return error_from_errno(cannot("write", path), errno);
  }
  constexpr int k_flags = O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_NOFOLLOW | O_CLOEXEC;
  Descriptor file(::open(path.c_str(), k_flags, S_IRUSR | S_IWUSR));
  if (!file.is_open()) return error_from_errno(cannot("write", path), errno);
  return std::unique_ptr<GrowingFile>(std::make_unique<PosixGrowingFile>(std::move(file), path));
}

Result<void> PosixFileSystem::create_directories(const fs::path& path) {
  if (const auto checked = check_path("create directory", path); !checked) return checked.error();
  std::error_code failed;
  fs::create_directories(path, failed);
  if (!failed) return {};
  return error_from_errno(cannot("create directory", path), failed.value());
}

Result<std::vector<DirectoryEntry>> PosixFileSystem::list(const fs::path& path) const {
  YUME_TRY(const struct stat status, status_of("list", path));
  if (!S_ISDIR(status.st_mode)) return refuse("list", path, "not a directory");
  const std::unique_ptr<DIR, int (*)(DIR*)> directory(::opendir(path.c_str()), ::closedir);
  if (directory == nullptr) return error_from_errno(cannot("list", path), errno);
  std::vector<DirectoryEntry> entries;
  for (;;) {
    errno = 0;
    const dirent* entry = ::readdir(directory.get());
    if (entry == nullptr) break;
    const std::string_view name(entry->d_name);
    if (name == "." || name == "..") continue;
    entries.push_back(
        {.name = std::string(name), .kind = kind_of_entry(::dirfd(directory.get()), *entry)});
  }
  if (errno != 0) return error_from_errno(cannot("list", path), errno);
  std::sort(entries.begin(), entries.end(),
            [](const auto& left, const auto& right) { return left.name < right.name; });
  return entries;
}

Result<fs::path> PosixFileSystem::real_path(const fs::path& path) const {
  if (const auto checked = check_path("resolve", path); !checked) return checked.error();
  if (path.is_absolute()) return PathResolver(path).resolve();
  std::error_code failed;
  const fs::path cwd = fs::current_path(failed);
  if (failed) return error_from_errno(cannot("resolve", path), failed.value());
  return PathResolver(cwd / path).resolve();
}

}  // namespace

std::unique_ptr<FileSystem> make_system_file_system() {
  return std::make_unique<PosixFileSystem>();
}

}  // namespace yume::platform
