// SPDX-License-Identifier: MIT
#include "support/memory_file_system.h"

#include <algorithm>
#include <deque>
#include <utility>

namespace yume::test {

namespace {

namespace fs = std::filesystem;
using platform::FileKind;

constexpr int k_most_links = 40;
constexpr std::string_view k_missing = "no such file or directory";

Error failure(ErrorCode code, std::string_view verb, const fs::path& path,
              std::string_view reason) {
  return Error{
      .code = code,
      .message = "cannot " + std::string(verb) + " " + path.string() + ": " + std::string(reason)};
}

void push_front(std::deque<std::string>& pending, const fs::path& path) {
  std::deque<std::string> names;
  for (const fs::path& name : path.relative_path()) names.push_back(name.native());
  pending.insert(pending.begin(), names.begin(), names.end());
}

Error link_in_the_way(std::string_view verb, const fs::path& path) {
  return failure(ErrorCode::permission_denied, verb, path,
                 "a symbolic link is in the way that was not there when the path was judged");
}

class MemoryOpenFile final : public platform::OpenFile {
 public:
  MemoryOpenFile(const platform::FileInfo& info, const platform::FileOwner& owner,
                 std::string bytes)
      : info_(info), owner_(owner), bytes_(std::move(bytes)) {}

  const platform::FileInfo& info() const override { return info_; }
  const platform::FileOwner& owner() const override { return owner_; }
  Result<std::size_t> read(std::span<char> into) override {
    const std::size_t count = std::min(into.size(), bytes_.size() - at_);
    std::copy_n(bytes_.data() + at_, count, into.data());
    at_ += count;
    return count;
  }
  Result<std::size_t> read_at(std::uint64_t offset, std::span<char> into) override {
    const std::size_t from = std::min<std::size_t>(offset, bytes_.size());
    const std::size_t count = std::min(into.size(), bytes_.size() - from);
    std::copy_n(bytes_.data() + from, count, into.data());
    return count;
  }

 private:
  platform::FileInfo info_;
  platform::FileOwner owner_;
  std::string bytes_;
  std::size_t at_ = 0;
};

}  // namespace

MemoryFileSystem::MemoryFileSystem(const fs::path& cwd) : cwd_(cwd) {
  put("/", FileKind::directory, {});
  [[maybe_unused]] const auto made = make_directories(cwd);
}

Result<platform::FileInfo> MemoryFileSystem::info(const fs::path& path) const {
  const std::lock_guard lock(mutex_);
  YUME_TRY(const Node* node, find("inspect", path));
  return info_of(*node);
}

platform::FileInfo MemoryFileSystem::info_of(const Node& node) {
  return {.kind = node.kind,
          .size = node.bytes.size(),
          .modified_ns = node.modified_ns,
          .inode = node.inode,
          .hard_links = node.hard_links};
}

Result<std::string> MemoryFileSystem::read(const fs::path& path, std::uint64_t max_bytes) const {
  const std::lock_guard lock(mutex_);
  YUME_TRY(const Node* node, find("read", path));
  if (node->kind != FileKind::regular) {
    const bool directory = node->kind == FileKind::directory;
    return failure(ErrorCode::invalid_argument, "read", path,
                   directory ? "is a directory" : "not a regular file");
  }
  if (node->bytes.size() > max_bytes) {
    return failure(ErrorCode::too_large, "read", path,
                   "larger than " + std::to_string(max_bytes) + " bytes");
  }
  return node->bytes;
}

Result<void> MemoryFileSystem::replace(const fs::path& path, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  YUME_TRY(const fs::path target, resolve("write", path));
  if (!path.has_filename()) {
    return failure(ErrorCode::invalid_argument, "write", target, "is a directory");
  }
  return replace_resolved(target, bytes);
}

Result<void> MemoryFileSystem::replace_resolved(const fs::path& target, std::string_view bytes) {
  const Node* parent = node_at(target.parent_path());
  if (parent == nullptr) return failure(ErrorCode::not_found, "write", target, k_missing);
  if (parent->kind != FileKind::directory) {
    return failure(ErrorCode::invalid_argument, "write", target, "not a directory");
  }
  const Node* old = node_at(target);
  const bool directory = old && old->kind == FileKind::directory;
  if (directory || (old && old->kind != FileKind::regular)) {
    return failure(ErrorCode::invalid_argument, "write", target,
                   directory ? "is a directory" : "not a regular file");
  }
  put(target, FileKind::regular, bytes);
  return {};
}

namespace {

class MemoryGrowingFile final : public platform::GrowingFile {
 public:
  MemoryGrowingFile(MemoryFileSystem& files, fs::path path)
      : files_(files), path_(std::move(path)) {}

  Result<void> append(std::string_view bytes) override {
    bytes_ += bytes;
    return files_.replace(path_, bytes_);
  }

 private:
  MemoryFileSystem& files_;
  fs::path path_;
  std::string bytes_;
};

}  // namespace

Result<std::unique_ptr<platform::GrowingFile>> MemoryFileSystem::create_private(
    const fs::path& path) {
  if (const auto made = create_directories(path.parent_path()); !made) return made.error();
  auto file = std::make_unique<MemoryGrowingFile>(*this, path);
  if (const auto written = file->append({}); !written) return written.error();
  return std::unique_ptr<platform::GrowingFile>(std::move(file));
}

Result<std::unique_ptr<platform::OpenFile>> MemoryFileSystem::open_real(
    const fs::path& real_path) const {
  const std::lock_guard lock(mutex_);
  YUME_TRY(const fs::path resolved, resolve("read", real_path));
  if (resolved != real_path) return link_in_the_way("read", real_path);
  YUME_TRY(const Node* node, find("read", real_path));
  if (node->kind != FileKind::regular) {
    return failure(ErrorCode::invalid_argument, "read", real_path,
                   node->kind == FileKind::directory ? "is a directory" : "not a regular file");
  }
  return std::unique_ptr<platform::OpenFile>(
      std::make_unique<MemoryOpenFile>(info_of(*node), node->owner, node->bytes));
}

Result<platform::Replaced> MemoryFileSystem::replace_real(const fs::path& real_path,
                                                          std::string_view bytes,
                                                          const platform::ReplaceOptions& options) {
  const std::lock_guard lock(mutex_);
  YUME_TRY(const fs::path resolved, resolve("write", real_path));
  if (resolved != real_path) return link_in_the_way("write", real_path);
  int missing = 0;
  for (fs::path at = real_path.parent_path(); node_at(at) == nullptr; at = at.parent_path()) {
    ++missing;
  }
  if (missing > 0 && options.new_directories > 0) {
    if (missing > options.new_directories) {
      return failure(ErrorCode::invalid_argument, "write", real_path,
                     "too many directories would have to be made");
    }
    const auto made = make_directories(real_path.parent_path());
    if (!made) return made.error();
  }
  const Node* old = node_at(real_path);
  const auto there = old != nullptr ? platform::Expected(info_of(*old)) : platform::NothingThere{};
  if (options.expected && there != *options.expected) {
    return failure(ErrorCode::invalid_argument, "write", real_path,
                   "somebody else has just changed it");
  }
  const auto replaced = replace_resolved(real_path, bytes);
  if (!replaced) return replaced.error();
  return platform::Replaced{};
}

Result<void> MemoryFileSystem::create_directories(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  return make_directories(path);
}

Result<void> MemoryFileSystem::make_directories(const fs::path& path) {
  YUME_TRY(const fs::path target, resolve("create directory", path));
  fs::path made = "/";
  for (const fs::path& name : target.relative_path()) {
    made /= name;
    const Node* node = node_at(made);
    if (node == nullptr) {
      put(made, FileKind::directory, {});
    } else if (node->kind != FileKind::directory) {
      return failure(ErrorCode::invalid_argument, "create directory", path, "not a directory");
    }
  }
  return {};
}

Result<std::vector<platform::DirectoryEntry>> MemoryFileSystem::list(const fs::path& path) const {
  const std::lock_guard lock(mutex_);
  YUME_TRY(const fs::path real, resolve("list", path));
  YUME_TRY(const Node* node, find("list", path));
  if (node->kind != FileKind::directory) {
    return failure(ErrorCode::invalid_argument, "list", path, "not a directory");
  }
  std::map<std::string, FileKind> found;  // in byte order of the names
  for (const auto& [other, entry] : nodes_) {
    const fs::path entry_path(other);
    if (other != "/" && entry_path.parent_path() == real) {
      found.emplace(entry_path.filename().native(), entry.kind);
    }
  }
  std::vector<platform::DirectoryEntry> entries;
  for (const auto& [name, kind] : found) entries.push_back({.name = name, .kind = kind});
  return entries;
}

Result<platform::FileOwner> MemoryFileSystem::owner_of(const fs::path& path) const {
  const std::lock_guard lock(mutex_);
  YUME_TRY(const Node* node, find("look at", path));
  return node->owner;
}

void MemoryFileSystem::set_owner(const fs::path& path, const platform::FileOwner& owner) {
  const std::lock_guard lock(mutex_);
  if (const auto at = nodes_.find(path.native()); at != nodes_.end()) at->second.owner = owner;
}

void MemoryFileSystem::set_hard_links(const fs::path& path, std::uint32_t count) {
  const std::lock_guard lock(mutex_);
  if (const auto at = nodes_.find(path.native()); at != nodes_.end()) {
    at->second.hard_links = count;
  }
}

Result<fs::path> MemoryFileSystem::real_path(const fs::path& path) const {
  const std::lock_guard lock(mutex_);
  return resolve("resolve", path);
}

void MemoryFileSystem::add_file(const fs::path& path, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  [[maybe_unused]] const auto made = make_directories(path.parent_path());
  if (const auto real = resolve("write", path)) put(*real, FileKind::regular, bytes);
}

void MemoryFileSystem::add_symlink(const fs::path& target, const fs::path& link) {
  const std::lock_guard lock(mutex_);
  // The link's own name must not be resolved, only the directory it lies in.
  if (const auto parent = resolve("link", link.parent_path())) {
    put(*parent / link.filename(), FileKind::symlink, target.native());
  }
}

void MemoryFileSystem::add_other(const fs::path& path) {
  const std::lock_guard lock(mutex_);
  if (const auto real = resolve("create", path)) put(*real, FileKind::other, {});
}

void MemoryFileSystem::plant_failure(const fs::path& path, Error error) {
  const std::lock_guard lock(mutex_);
  failures_.insert_or_assign((cwd_ / path).lexically_normal().native(), std::move(error));
}

Result<fs::path> MemoryFileSystem::resolve(std::string_view verb, const fs::path& path) const {
  if (path.empty()) {
    return failure(ErrorCode::invalid_argument, verb, "\"\"", "the path is empty");
  }
  if (const std::size_t nul = path.native().find('\0'); nul != std::string::npos) {
    return failure(ErrorCode::invalid_argument, verb, path.native().substr(0, nul),
                   "the path contains a NUL byte");
  }
  const fs::path absolute = cwd_ / path;
  const auto planted = failures_.find(absolute.lexically_normal().native());
  if (planted != failures_.end()) return planted->second;
  fs::path real = "/";
  std::deque<std::string> pending;
  push_front(pending, absolute);
  for (int links = 0; !pending.empty();) {
    const std::string name = std::move(pending.front());
    pending.pop_front();
    if (name.empty() || name == ".") continue;
    if (name == "..") {
      real = real.parent_path();
      continue;
    }
    const Node* node = node_at(real / name);
    if (node == nullptr || node->kind != FileKind::symlink) {
      real /= name;
      continue;
    }
    if (++links > k_most_links) {
      return failure(ErrorCode::invalid_argument, verb, path, "too many levels of symbolic links");
    }
    const fs::path target(node->bytes);
    if (target.is_absolute()) real = "/";
    push_front(pending, target);
  }
  return real;
}

Result<const MemoryFileSystem::Node*> MemoryFileSystem::find(std::string_view verb,
                                                             const fs::path& path) const {
  YUME_TRY(const fs::path real, resolve(verb, path));
  const Node* node = node_at(real);
  if (node == nullptr) return failure(ErrorCode::not_found, verb, path, k_missing);
  return node;
}

const MemoryFileSystem::Node* MemoryFileSystem::node_at(const fs::path& real) const {
  const auto found = nodes_.find(real.native());
  return found == nodes_.end() ? nullptr : &found->second;
}

void MemoryFileSystem::put(const fs::path& real, FileKind kind, std::string_view bytes) {
  constexpr std::int64_t k_tick_ns = 1'000'000;
  nodes_[real.native()] = Node{.kind = kind,
                               .bytes = std::string(bytes),
                               .modified_ns = time_ns_ += k_tick_ns,
                               .inode = next_inode_++};
}

}  // namespace yume::test
