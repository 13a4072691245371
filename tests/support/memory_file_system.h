// SPDX-License-Identifier: MIT
// A file system in memory that keeps the contract of platform/file_system.h, errors and messages
// included. Knows no permissions; failures are planted instead. Thread-safe.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "platform/file_system.h"

namespace yume::test {

class MemoryFileSystem final : public platform::FileSystem {
 public:
  // Relative paths start at `cwd`, which exists together with the root.
  explicit MemoryFileSystem(const std::filesystem::path& cwd = "/");

  Result<platform::FileInfo> info(const std::filesystem::path& path) const override;
  Result<std::string> read(const std::filesystem::path& path,
                           std::uint64_t max_bytes) const override;
  Result<void> replace(const std::filesystem::path& path, std::string_view bytes) override;
  Result<std::unique_ptr<platform::GrowingFile>> create_private(
      const std::filesystem::path& path) override;
  Result<std::unique_ptr<platform::OpenFile>> open_real(
      const std::filesystem::path& real_path) const override;
  // Nothing here needs to be written in place.
  Result<platform::Replaced> replace_real(const std::filesystem::path& real_path,
                                          std::string_view bytes,
                                          const platform::ReplaceOptions& options) override;
  Result<void> create_directories(const std::filesystem::path& path) override;
  Result<std::vector<platform::DirectoryEntry>> list(
      const std::filesystem::path& path) const override;
  Result<std::filesystem::path> real_path(const std::filesystem::path& path) const override;
  Result<platform::FileOwner> owner_of(const std::filesystem::path& path) const override;

  // A file with its directories, for setting a scene in one line.
  void add_file(const std::filesystem::path& path, std::string_view bytes);
  void add_symlink(const std::filesystem::path& target, const std::filesystem::path& link);
  // A FIFO, socket or device.
  void add_other(const std::filesystem::path& path);
  // Everything is this user's alone until this says otherwise. The path is real.
  void set_owner(const std::filesystem::path& path, const platform::FileOwner& owner);
  void set_hard_links(const std::filesystem::path& path, std::uint32_t count);
  // From now on every operation on this path fails so.
  void plant_failure(const std::filesystem::path& path, Error error);

 private:
  struct Node {
    platform::FileKind kind = platform::FileKind::directory;
    std::string bytes;  // of a file; of a link, its target
    std::int64_t modified_ns = 0;
    std::uint64_t inode = 0;
    platform::FileOwner owner = {};
    std::uint32_t hard_links = 1;
  };

  Result<std::filesystem::path> resolve(std::string_view verb,
                                        const std::filesystem::path& path) const;
  Result<const Node*> find(std::string_view verb, const std::filesystem::path& path) const;
  const Node* node_at(const std::filesystem::path& real) const;
  void put(const std::filesystem::path& real, platform::FileKind kind, std::string_view bytes);
  Result<void> make_directories(const std::filesystem::path& path);
  Result<void> replace_resolved(const std::filesystem::path& target, std::string_view bytes);
  static platform::FileInfo info_of(const Node& node);

  mutable std::mutex mutex_;
  std::filesystem::path cwd_;
  std::map<std::string, Node> nodes_;  // by real path
  std::map<std::string, Error> failures_;
  std::int64_t time_ns_ = 1'700'000'000'000'000'000;
  std::uint64_t next_inode_ = 1;
};

}  // namespace yume::test
