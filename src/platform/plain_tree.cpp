// SPDX-License-Identifier: MIT
// A search tree on a file system's own operations: for systems without handles to directories, and
// for the one in memory.
#include "platform/file_system.h"

#include <algorithm>
#include <utility>

#include "platform/search_tree.h"
#include "util/path_text.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_file = 256U << 20U;

class PlainFile final : public TreeFile {
 public:
  explicit PlainFile(std::string bytes) : bytes_(std::move(bytes)) {}

  Result<std::size_t> read(std::span<char> room) override {
    const std::size_t count = std::min(room.size(), bytes_.size() - at_);
    std::copy_n(bytes_.data() + at_, count, room.data());
    at_ += count;
    return count;
  }

 private:
  std::string bytes_;
  std::size_t at_ = 0;
};

class PlainDirectory final : public TreeDirectory {
 public:
  PlainDirectory(const FileSystem& files, fs::path path) : files_(files), path_(std::move(path)) {}

  Result<std::vector<DirectoryEntry>> list() override { return files_.list(path_); }

  Result<std::unique_ptr<TreeFile>> open_file(const std::string& name) const override {
    YUME_TRY(std::string bytes, files_.read(path_ / name, k_largest_file));
    return std::unique_ptr<TreeFile>(std::make_unique<PlainFile>(std::move(bytes)));
  }

  Result<FileInfo> info(const std::string& name) const override {
    return files_.info(path_ / name);
  }

 private:
  const FileSystem& files_;
  fs::path path_;
};

class PlainTree final : public SearchTree {
 public:
  PlainTree(const FileSystem& files, fs::path root) : files_(files), root_(std::move(root)) {}

  Result<std::unique_ptr<TreeDirectory>> open_directory(
      const std::string& relative) const override {
    const fs::path path = relative.empty() ? root_ : root_ / relative;
    YUME_TRY(const fs::path real, files_.real_path(path));
    if (real != path) {
      return Error{.code = ErrorCode::permission_denied,
                   .message = "cannot search " + to_utf8(path) + ": it is a symbolic link"};
    }
    return std::unique_ptr<TreeDirectory>(std::make_unique<PlainDirectory>(files_, path));
  }

 private:
  const FileSystem& files_;
  fs::path root_;
};

}  // namespace

Result<std::unique_ptr<SearchTree>> FileSystem::open_tree(const fs::path& path) const {
  YUME_TRY(const FileInfo what, info(path));
  if (what.kind != FileKind::directory) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "cannot search " + to_utf8(path) + ": not a directory"};
  }
  YUME_TRY(fs::path real, real_path(path));
  return std::unique_ptr<SearchTree>(std::make_unique<PlainTree>(*this, std::move(real)));
}

}  // namespace yume::platform
