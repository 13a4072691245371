// SPDX-License-Identifier: MIT
// The file system as a seam: what tools and configuration need, and nothing that could hang (only
// regular files are ever opened). Every error names the path. Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "platform/search_tree.h"
#include "util/result.h"

namespace yume::platform {

enum class FileKind { regular, directory, symlink, other };

struct FileInfo {
  FileKind kind = FileKind::other;
  std::uint64_t size = 0;
  std::int64_t modified_ns = 0;  // since the epoch
  std::uint64_t inode = 0;
  std::uint32_t hard_links = 1;

  friend bool operator==(const FileInfo&, const FileInfo&) = default;
};

// Who could have put it there.
struct FileOwner {
  bool is_root = false;
  bool is_self = true;
  bool others_may_write = false;
};

struct DirectoryEntry {
  std::string name;  // raw bytes as the system gives them
  FileKind kind = FileKind::other;
};

// A file that is being written, and may be read meanwhile.
class GrowingFile {
 public:
  virtual ~GrowingFile() = default;
  virtual Result<void> append(std::string_view bytes) = 0;
};

// A regular file held open: what was opened is what is read, whatever becomes of its name. For one
// thread at a time.
class OpenFile {
 public:
  virtual ~OpenFile() = default;
  virtual const FileInfo& info() const = 0;  // as it was when it was opened
  virtual const FileOwner& owner() const = 0;
  // The next bytes, as many as there are or fit; 0 only at the end.
  virtual Result<std::size_t> read(std::span<char> into) = 0;
  // Bytes from `offset` on, whatever read() has come to; fewer than asked for only at the end.
  virtual Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) = 0;
};

// What a caller knows of the file it is about to replace.
struct NothingThere {
  friend bool operator==(const NothingThere&, const NothingThere&) = default;
};
using Expected = std::variant<NothingThere, FileInfo>;

struct ReplaceOptions {
  // Anything else in its place is left alone. nullopt: whatever is there.
  std::optional<Expected> expected = std::nullopt;
  // How many missing directories may be made on the way.
  int new_directories = 0;
  // Where the old bytes are kept when the file has to be written in place, because nothing can be
  // renamed over it (a mount point, a directory that may not be changed). Empty: that is an error.
  std::filesystem::path backups = {};
};

struct Replaced {
  std::uint32_t other_names = 0;      // hard links, which keep the old bytes
  std::filesystem::path backup = {};  // not empty: written in place, and the old bytes are here
};

class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Follows symbolic links. not_found when nothing is there (a dangling link included).
  virtual Result<FileInfo> info(const std::filesystem::path& path) const = 0;

  // The whole content of a regular file. too_large above `max_bytes`; invalid_argument for a
  // directory, FIFO, socket or device, which is never opened for reading.
  virtual Result<std::string> read(const std::filesystem::path& path,
                                   std::uint64_t max_bytes) const = 0;

  // Readers see the old or the new bytes, never a mixture: temporary file beside the target, fsync,
  // rename, fsync of the directory. Keeps the mode of an existing file; a symbolic link keeps
  // pointing where it did and its target is replaced. The directory must exist.
  virtual Result<void> replace(const std::filesystem::path& path, std::string_view bytes) = 0;

  // A new and empty file for this user's eyes alone (0600), in a directory that becomes private too
  // (0700) and is made when it is missing. What had the name before is removed.
  virtual Result<std::unique_ptr<GrowingFile>> create_private(
      const std::filesystem::path& path) = 0;

  // The same two for a path that real_path returned and somebody decided on: a symbolic link on the
  // way, which cannot have been there then, is permission_denied and never followed.
  virtual Result<std::unique_ptr<OpenFile>> open_real(
      const std::filesystem::path& real_path) const = 0;
  virtual Result<Replaced> replace_real(const std::filesystem::path& real_path,
                                        std::string_view bytes, const ReplaceOptions& options) = 0;

  virtual Result<void> create_directories(const std::filesystem::path& path) = 0;

  // Entries in byte order of their names, without "." and "..".
  virtual Result<std::vector<DirectoryEntry>> list(const std::filesystem::path& path) const = 0;

  // The real path: symbolic links of the deepest existing ancestor resolved, the rest appended
  // after lexical normalisation. Fails only on a link loop or an unreadable ancestor.
  virtual Result<std::filesystem::path> real_path(const std::filesystem::path& path) const = 0;

  // Of the file or directory itself; a link is followed.
  [[nodiscard]] virtual Result<FileOwner> owner_of(const std::filesystem::path& path) const = 0;

  // Every name on the way there: the path itself, what each symbolic link makes of it, the real
  // path last. Ends early where that cannot be told. For rules that forbid a file by any of its
  // names.
  [[nodiscard]] virtual std::vector<std::filesystem::path> names_of(
      const std::filesystem::path& path) const {
    const auto real = real_path(path);
    if (!real.ok() || *real == path) return {path};
    return {path, *real};
  }

  // For searching all below a directory (see search_tree.h). `path` is absolute and real: a link
  // that has taken the place of a directory in it is an error.
  virtual Result<std::unique_ptr<SearchTree>> open_tree(const std::filesystem::path& path) const;
};

std::unique_ptr<FileSystem> make_system_file_system();

}  // namespace yume::platform
