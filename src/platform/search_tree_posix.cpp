// SPDX-License-Identifier: MIT
#include "platform/search_tree_posix.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include <atomic>
#include <cerrno>
#include <string_view>

#include "platform/denial_posix.h"
#include "platform/descriptor_posix.h"
#include "platform/file_system.h"
#include "platform/stat_posix.h"
#include "util/path_text.h"

namespace yume::platform {
namespace {

constexpr int k_directory_flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
// O_NONBLOCK: a FIFO of that name must not hold us up.
constexpr int k_file_flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;

// On the way to a directory, which one need not be able to list.
#if defined(O_PATH)
constexpr int k_way_flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
#else
constexpr int k_way_flags = k_directory_flags;
#endif

// One component at a time, none of them a link.
Descriptor open_step_by_step(int root, std::string_view relative) {
  Descriptor at(::openat(root, ".", relative.empty() ? k_directory_flags : k_way_flags));
  while (at.is_open() && !relative.empty()) {
    const std::size_t slash = relative.find('/');
    const std::string name(relative.substr(0, slash));
    relative = slash == std::string_view::npos ? "" : relative.substr(slash + 1);
    const int flags = relative.empty() ? k_directory_flags : k_way_flags;
    at = Descriptor(::openat(at.get(), name.c_str(), flags));
  }
  return at;
}

// The kernel does the same in one call since Linux 5.6; a sandbox may forbid it.
Descriptor open_beneath(int root, const std::string& relative) {
#if defined(__linux__) && defined(SYS_openat2)
  static std::atomic<bool> refused{false};
  if (!relative.empty() && !refused.load(std::memory_order_relaxed)) {
    open_how how{};
    how.flags = k_directory_flags;
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
    Descriptor opened(
        static_cast<int>(::syscall(SYS_openat2, root, relative.c_str(), &how, sizeof how)));
    if (opened.is_open() || (errno != ENOSYS && errno != EPERM)) return opened;
    refused.store(true, std::memory_order_relaxed);
  }
#endif
  return open_step_by_step(root, relative);
}

class PosixTreeFile final : public TreeFile {
 public:
  PosixTreeFile(Descriptor file, std::uint64_t size) : file_(std::move(file)), size_(size) {}

  Result<std::size_t> read(std::span<char> room) override {
    // The end is known without asking, which is one call in four of a small file. Not so where the
    // size is not told, as in /proc.
    if (size_ > 0 && given_ == size_) return std::size_t{0};
    for (;;) {
      const ssize_t got = ::read(file_.get(), room.data(), room.size());
      if (got >= 0) {
        given_ += static_cast<std::uint64_t>(got);
        return static_cast<std::size_t>(got);
      }
      if (errno != EINTR) return error_from_errno("cannot read", errno);
    }
  }

 private:
  Descriptor file_;
  std::uint64_t size_;
  std::uint64_t given_ = 0;
};

class PosixTreeDirectory final : public TreeDirectory {
 public:
  explicit PosixTreeDirectory(DIR* directory) : directory_(directory, ::closedir) {}

  Result<std::vector<DirectoryEntry>> list() override {
    std::vector<DirectoryEntry> entries;
    for (;;) {
      errno = 0;
      const dirent* entry = ::readdir(directory_.get());
      if (entry == nullptr) break;
      const std::string_view name(entry->d_name);
      if (name == "." || name == "..") continue;
      entries.push_back({.name = std::string(name), .kind = kind_of_entry(fd(), *entry)});
    }
    if (errno != 0) return error_from_errno("cannot list the directory", errno);
    return entries;
  }

  Result<std::unique_ptr<TreeFile>> open_file(const std::string& name) const override {
    // Asked before opening, because merely opening some devices acts on them: the caller did, when
    // it took the entry's kind from list(). Asked again, as it may have been exchanged.
    Descriptor file(::openat(fd(), name.c_str(), k_file_flags));
    struct stat status {};
    if (!file.is_open() || ::fstat(file.get(), &status) != 0) {
      return error_from_errno("cannot open " + name, errno);
    }
    if (!S_ISREG(status.st_mode)) {
      return Error{.code = ErrorCode::invalid_argument,
                   .message = "cannot open " + name + ": not a regular file"};
    }
    return std::unique_ptr<TreeFile>(std::make_unique<PosixTreeFile>(
        std::move(file), static_cast<std::uint64_t>(status.st_size)));
  }

  Result<FileInfo> info(const std::string& name) const override {
    struct stat status {};
    if (::fstatat(fd(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) {
      return error_from_errno("cannot inspect " + name, errno);
    }
    return FileInfo{.kind = kind_of(status.st_mode),
                    .size = static_cast<std::uint64_t>(status.st_size),
                    .modified_ns = modified_ns(status),
                    .inode = status.st_ino,
                    .hard_links = static_cast<std::uint32_t>(status.st_nlink)};
  }

 private:
  int fd() const { return ::dirfd(directory_.get()); }

  std::unique_ptr<DIR, int (*)(DIR*)> directory_;
};

class PosixTree final : public SearchTree {
 public:
  explicit PosixTree(Descriptor root) : root_(std::move(root)) {}

  Result<std::unique_ptr<TreeDirectory>> open_directory(
      const std::string& relative) const override {
    Descriptor opened = open_beneath(root_.get(), relative);
    DIR* directory = opened.is_open() ? ::fdopendir(opened.get()) : nullptr;
    if (directory == nullptr) {
      return error_from_errno("cannot open directory " + relative, errno);
    }
    [[maybe_unused]] const int owned_by_directory = opened.release();
    return std::unique_ptr<TreeDirectory>(std::make_unique<PosixTreeDirectory>(directory));
  }

 private:
  Descriptor root_;
};

}  // namespace

Result<std::unique_ptr<SearchTree>> open_posix_tree(const std::filesystem::path& path) {
  const Descriptor top(::open("/", k_way_flags));
  Descriptor root = open_beneath(top.get(), to_utf8(path.relative_path()));
  if (!root.is_open()) {
    return error_reaching("cannot search " + to_utf8(path), path, errno, Wanted::to_read);
  }
  return std::unique_ptr<SearchTree>(std::make_unique<PosixTree>(std::move(root)));
}

}  // namespace yume::platform
