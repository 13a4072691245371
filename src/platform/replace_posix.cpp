// SPDX-License-Identifier: MIT
#include "platform/replace_posix.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <memory>
#include <string>
#include <system_error>
#include <utility>

#include "platform/denial_posix.h"
#include "platform/descriptor_posix.h"
#include "platform/file_attributes_posix.h"
#include "platform/resolved_path_posix.h"
#include "platform/stat_posix.h"
#include "util/path_text.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

constexpr int k_name_attempts = 16;
constexpr int k_most_entries_looked_at = 10'000;
constexpr std::size_t k_random_digits = 16;
constexpr std::string_view k_temporary_prefix = ".yume-";
constexpr std::string_view k_temporary_suffix = ".tmp";
constexpr std::string_view k_hex = "0123456789abcdef";

std::string cannot_write(const fs::path& path) {
  return "cannot write " + to_utf8(path);
}

Error refuse(const fs::path& path, std::string_view reason) {
  return Error{.code = ErrorCode::invalid_argument,
               .message = cannot_write(path) + ": " + std::string(reason)};
}

std::string random_hex() {
  std::array<unsigned char, k_random_digits / 2> random{};
  [[maybe_unused]] const int failed = ::getentropy(random.data(), random.size());
  std::string digits;
  for (const unsigned char byte : random) {
    digits += k_hex[byte >> 4];
    digits += k_hex[byte & 15];
  }
  return digits;
}

bool is_temporary_name(std::string_view name) {
  if (!name.starts_with(k_temporary_prefix) || !name.ends_with(k_temporary_suffix)) return false;
  name.remove_prefix(k_temporary_prefix.size());
  name.remove_suffix(std::min(name.size(), k_temporary_suffix.size()));
  return name.size() == k_random_digits && name.find_first_not_of(k_hex) == name.npos;
}

// Whoever writes a temporary file holds its lock; the system frees it when that process dies.
void remove_if_abandoned(const Descriptor& directory, const char* name) {
  const Descriptor file(
      ::openat(directory.get(), name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) return;
  // Root gives its files to the owners of the old ones before it writes them.
  const bool may_be_ours = status.st_uid == ::geteuid() || ::geteuid() == 0;
  if (!S_ISREG(status.st_mode) || !may_be_ours) return;
  if (::flock(file.get(), LOCK_EX | LOCK_NB) == 0) ::unlinkat(directory.get(), name, 0);
}

void remove_abandoned_files(const Descriptor& directory) {
  const int copy = ::openat(directory.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return;
  const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(copy), ::closedir);
  if (entries == nullptr) {
    ::close(copy);
    return;
  }
  for (int looked_at = 0; looked_at < k_most_entries_looked_at; ++looked_at) {
    const dirent* entry = ::readdir(entries.get());
    if (entry == nullptr) return;
    if (is_temporary_name(entry->d_name)) remove_if_abandoned(directory, entry->d_name);
  }
}

// A new file beside the target that disappears again unless it is renamed over it.
class TemporaryFile {
 public:
  // With errno in place of the error: the caller may know another way.
  static std::variant<TemporaryFile, int> create(const Descriptor& directory, mode_t mode) {
    for (int attempt = 0; attempt < k_name_attempts; ++attempt) {
      // Recognisable, so that one left by a kill can be removed; short, whatever the target is
      // called.
      const std::string name =
          std::string(k_temporary_prefix) + random_hex() + std::string(k_temporary_suffix);
      constexpr int k_flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
      Descriptor file(::openat(directory.get(), name.c_str(), k_flags, mode));
      if (!file.is_open() && errno != EEXIST) return errno;
      if (file.is_open() && is_ours(file)) return TemporaryFile(directory, std::move(file), name);
    }
    return EEXIST;
  }

  TemporaryFile(TemporaryFile&& other) noexcept
      : directory_(other.directory_),
        file_(std::move(other.file_)),
        name_(std::exchange(other.name_, {})) {}
  ~TemporaryFile() {
    if (!name_.empty()) ::unlinkat(directory_.get(), name_.c_str(), 0);
  }

  const Descriptor& file() const { return file_; }

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

  // Another process may have taken it for abandoned before it was locked.
  static bool is_ours(const Descriptor& file) {
    if (::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) return false;
    struct stat status {};
    return ::fstat(file.get(), &status) != 0 || status.st_nlink > 0;
  }

  const Descriptor& directory_;
  Descriptor file_;
  std::string name_;  // empty once renamed or moved from
};

Result<void> sync_directory(const Descriptor& directory, const fs::path& path) {
  // Some network file systems cannot sync directories and say EINVAL; one that we may not read
  // cannot be opened for it (EBADF).
  if (sync_file(directory.get()) == 0 || errno == EINVAL || errno == ENOTSUP || errno == EBADF) {
    return {};
  }
  return error_from_errno(
      "the new content of " + to_utf8(path) +
          " is in place but might not survive a power failure: cannot sync its directory",
      errno);
}

// One replacement on its way.
class Replacement {
 public:
  Replacement(const fs::path& target, std::string_view bytes, const ReplaceOptions& options)
      : target_(target), name_(target.filename().native()), bytes_(bytes), options_(options) {}

  Result<Replaced> run() {
    if (name_.empty()) return refuse(target_, "is a directory");
    directory_ = open_or_make_directory(target_.parent_path(), options_.new_directories);
    if (!directory_.is_open()) return cannot_open_directory(errno);
    YUME_TRY(old_, existing_file());
    if (const auto same = check_expected(old_); !same) return same.error();
    remove_abandoned_files(directory_);
    // Private until it has the old file's permissions; a new file follows the umask.
    auto created = TemporaryFile::create(directory_, old_ ? 0600 : 0666);
    if (const int* reason = std::get_if<int>(&created)) return without_rename(*reason);
    auto& fresh = std::get<TemporaryFile>(created);
    const bool same_kind = !old_ || take_over_attributes(fresh.file(), open_old(O_RDONLY), *old_);
    if (!same_kind && may_write_in_place()) return in_place();
    // Only files of our own are replaced without being looked at before.
    if (!same_kind && options_.expected) {
      return refuse(target_,
                    "its owner, access list or attributes could not be kept, and there is no place "
                    "for its old content; set HOME");
    }
    if (const auto written = write_all(fresh.file().get(), target_, bytes_); !written) {
      return written.error();
    }
    if (sync_file(fresh.file().get()) != 0) return failed(errno);
    YUME_TRY(const auto meanwhile, existing_file());
    if (const auto same = check_expected(meanwhile); !same) return same.error();
    if (!fresh.rename_to(name_)) return without_rename(errno);
    if (const auto synced = sync_directory(directory_, target_); !synced) return synced.error();
    return Replaced{.other_names = old_ ? other_names() : 0};
  }

 private:
  Error failed(int error_number) const {
    return error_reaching(cannot_write(target_), target_, error_number, Wanted::to_write);
  }

  Error cannot_open_directory(int error_number) const {
    if (error_number == EMLINK)
      return refuse(target_, "too many directories would have to be made");
    Error error = failed(error_number);
    if (error_number == ENOTDIR) error.code = ErrorCode::invalid_argument;
    return error;
  }

  std::uint32_t other_names() const { return static_cast<std::uint32_t>(old_->st_nlink) - 1; }

  // The file as it is now; nullopt when the target does not exist yet.
  Result<std::optional<struct stat>> existing_file() const {
    struct stat status {};
    if (::fstatat(directory_.get(), name_.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      if (errno == ENOENT) return std::optional<struct stat>();
      return failed(errno);
    }
    if (S_ISLNK(status.st_mode)) return error_opening(cannot_write(target_), ELOOP);
    if (S_ISDIR(status.st_mode)) return refuse(target_, "is a directory");
    if (!S_ISREG(status.st_mode)) return refuse(target_, "not a regular file");
    return std::optional(status);
  }

  Result<void> check_expected(const std::optional<struct stat>& found) const {
    if (!options_.expected) return {};
    const Expected there = found ? Expected(info_of(*found)) : Expected(NothingThere{});
    if (there == *options_.expected) return {};
    return refuse(target_, "somebody else has just changed it");
  }

  Descriptor open_old(int flags) const {
    return Descriptor(::openat(directory_.get(), name_.c_str(),
                               flags | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
  }

  bool may_write_in_place() const { return old_ && !options_.backups.empty(); }

  // For what cannot be renamed over: a mount point, a directory that may not be changed.
  Result<Replaced> without_rename(int reason) const {
    const bool may_help = reason == EXDEV || reason == EPERM || reason == EACCES ||
                          reason == EBUSY || reason == EROFS;
    if (!may_help || !may_write_in_place()) return failed(reason);
    return in_place();
  }

  Result<Replaced> in_place() const {
    const Descriptor file = open_old(O_RDWR);
    struct stat status {};
    if (!file.is_open() || ::fstat(file.get(), &status) != 0) return failed(errno);
    if (status.st_dev != old_->st_dev || status.st_ino != old_->st_ino) {
      return refuse(target_, "somebody else has just changed it");
    }
    YUME_TRY(const std::string before, content_of(file));
    const auto kept = keep(before);
    if (!kept)
      return refuse(target_,
                    "it can only be written in place, and its old content cannot be kept: " +
                        kept.error().message);
    const fs::path& backup = *kept;
    if (const auto written = overwrite(file, bytes_); !written) {
      [[maybe_unused]] const auto restored = overwrite(file, before);
      return Error{
          .code = written.error().code,
          .message = written.error().message + "; its old content is in " + to_utf8(backup)};
    }
    return Replaced{.other_names = 0, .backup = backup};
  }

  Result<std::string> content_of(const Descriptor& file) const {
    std::string bytes;
    std::array<char, 1U << 16U> buffer;
    for (;;) {
      const ssize_t got = ::read(file.get(), buffer.data(), buffer.size());
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return failed(errno);
      if (got == 0) return bytes;
      bytes.append(buffer.data(), static_cast<std::size_t>(got));
    }
  }

  Result<fs::path> keep(std::string_view before) const {
    std::error_code ignored;
    fs::create_directories(options_.backups, ignored);
    const fs::path backup = options_.backups / ("before-edit-" + random_hex() + ".bak");
    constexpr int k_flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
    const Descriptor file(::open(backup.c_str(), k_flags, 0600));
    if (!file.is_open()) return error_from_errno(cannot_write(backup), errno);
    auto written = write_all(file.get(), backup, before);
    if (written && sync_file(file.get()) != 0) {
      written = error_from_errno(cannot_write(backup), errno);
    }
    if (!written) {
      ::unlink(backup.c_str());
      return written.error();
    }
    return backup;
  }

  Result<void> overwrite(const Descriptor& file, std::string_view bytes) const {
    if (::lseek(file.get(), 0, SEEK_SET) != 0) return failed(errno);
    if (auto written = write_all(file.get(), target_, bytes); !written) return written;
    const bool done = ::ftruncate(file.get(), static_cast<off_t>(bytes.size())) == 0 &&
                      sync_file(file.get()) == 0;
    if (!done) return failed(errno);
    return {};
  }

  const fs::path& target_;
  std::string name_;
  std::string_view bytes_;
  const ReplaceOptions& options_;
  Descriptor directory_;
  std::optional<struct stat> old_;
};

}  // namespace

Result<Replaced> replace_file(const fs::path& real_path, std::string_view bytes,
                              const ReplaceOptions& options) {
  return Replacement(real_path, bytes, options).run();
}

}  // namespace yume::platform
