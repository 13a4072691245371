// SPDX-License-Identifier: MIT
#include "platform/file_system.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <system_error>

#include "platform/denial_posix.h"
#include "platform/descriptor_posix.h"
#include "platform/replace_posix.h"
#include "platform/resolved_path_posix.h"
#include "platform/search_tree_posix.h"
#include "platform/stat_posix.h"
#include "util/path_text.h"

namespace yume::platform {

namespace {

namespace fs = std::filesystem;

std::string cannot(std::string_view verb, const fs::path& path) {
  return "cannot " + std::string(verb) + " " + to_utf8(path);
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

FileOwner owner_in(const struct stat& status) {
  return {.is_root = status.st_uid == 0,
          .is_self = status.st_uid == ::geteuid(),
          .others_may_write = (status.st_mode & (S_IWGRP | S_IWOTH)) != 0};
}

class PosixOpenFile final : public OpenFile {
 public:
  PosixOpenFile(Descriptor file, fs::path path, const struct stat& status)
      : file_(std::move(file)),
        path_(std::move(path)),
        info_(info_of(status)),
        owner_(owner_in(status)) {}

  const FileInfo& info() const override { return info_; }
  const FileOwner& owner() const override { return owner_; }

  Result<std::size_t> read(std::span<char> into) override {
    for (;;) {
      const ssize_t got = ::read(file_.get(), into.data(), into.size());
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return error_from_errno(cannot("read", path_), errno);
    }
  }

  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    std::size_t used = 0;
    while (used < into.size()) {
      const ssize_t got = ::pread(file_.get(), into.data() + used, into.size() - used,
                                  static_cast<off_t>(offset + used));
      if (got == 0) break;
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return error_from_errno(cannot("read", path_), errno);
      used += static_cast<std::size_t>(got);
    }
    return used;
  }

 private:
  Descriptor file_;
  fs::path path_;
  FileInfo info_;
  FileOwner owner_;
};

class PosixFileSystem final : public FileSystem {
 public:
  Result<FileInfo> info(const fs::path& path) const override {
    YUME_TRY(const struct stat status, status_of("inspect", path));
    return info_of(status);
  }

  Result<std::string> read(const fs::path& path, std::uint64_t max_bytes) const override;
  Result<void> replace(const fs::path& path, std::string_view bytes) override;
  Result<std::unique_ptr<GrowingFile>> create_private(const fs::path& path) override;
  Result<std::unique_ptr<OpenFile>> open_real(const fs::path& real_path) const override;
  Result<Replaced> replace_real(const fs::path& real_path, std::string_view bytes,
                                const ReplaceOptions& options) override;
  Result<void> create_directories(const fs::path& path) override;
  Result<std::vector<DirectoryEntry>> list(const fs::path& path) const override;
  Result<fs::path> real_path(const fs::path& path) const override;
  Result<FileOwner> owner_of(const fs::path& path) const override;
  std::vector<fs::path> names_of(const fs::path& path) const override {
    return names_on_the_way(path);
  }
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
  if (!path.has_filename()) return refuse("write", path, "is a directory");
  const auto replaced = replace_file(target, bytes, {.expected = std::nullopt});
  if (!replaced) return replaced.error();
  return {};
}

Result<std::unique_ptr<OpenFile>> PosixFileSystem::open_real(const fs::path& real_path) const {
  if (const auto checked = check_path("read", real_path); !checked) return checked.error();
  // Asked before opening too, because merely opening some devices acts on them.
  struct stat before {};
  if (::lstat(real_path.c_str(), &before) == 0 && !S_ISLNK(before.st_mode)) {
    if (const auto ok = require_regular("read", real_path, before.st_mode); !ok) return ok.error();
  }
  Descriptor file = open_resolved(real_path, O_RDONLY);
  struct stat status {};
  if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
    return error_reaching(cannot("read", real_path), real_path, errno, Wanted::to_read);
  }
  if (const auto ok = require_regular("read", real_path, status.st_mode); !ok) return ok.error();
  return std::unique_ptr<OpenFile>(
      std::make_unique<PosixOpenFile>(std::move(file), real_path, status));
}

Result<Replaced> PosixFileSystem::replace_real(const fs::path& real_path, std::string_view bytes,
                                               const ReplaceOptions& options) {
  if (const auto checked = check_path("write", real_path); !checked) return checked.error();
  return replace_file(real_path, bytes, options);
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
  if (directory == nullptr) {
    return error_reaching(cannot("list", path), path, errno, Wanted::to_read);
  }
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

Result<FileOwner> PosixFileSystem::owner_of(const fs::path& path) const {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) {
    return error_reaching(cannot("look at", path), path, errno, Wanted::to_read);
  }
  return owner_in(status);
}

Result<fs::path> PosixFileSystem::real_path(const fs::path& path) const {
  if (const auto checked = check_path("resolve", path); !checked) return checked.error();
  if (path.is_absolute()) return resolve_links(path);
  std::error_code failed;
  const fs::path cwd = fs::current_path(failed);
  if (failed) return error_from_errno(cannot("resolve", path), failed.value());
  return resolve_links(cwd / path);
}

}  // namespace

std::unique_ptr<FileSystem> make_system_file_system() {
  return std::make_unique<PosixFileSystem>();
}

}  // namespace yume::platform
