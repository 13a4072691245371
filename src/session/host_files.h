// SPDX-License-Identifier: MIT
// The file system as a host's editor has it: a text file is read as it is shown there, saved or
// not, and written through it. What the host will not read, the disk is asked for; everything else
// is the disk's anyway. What was judged and opened there is what the host is asked about.
#pragma once

#include <filesystem>
#include <mutex>

#include "core/host_port.h"
#include "core/session_commands.h"
#include "platform/file_system.h"
#include "util/cancel.h"

namespace yume::session {

class HostFiles final : public platform::FileSystem {
 public:
  // Both outlive it.
  HostFiles(platform::FileSystem& disk, core::Questions& host, core::HostAbilities abilities)
      : disk_(disk), host_(host), abilities_(abilities) {}

  // Any thread. What ends the wait for the host from now on.
  void use(const CancelToken& cancel);

  Result<std::unique_ptr<platform::OpenFile>> open_real(
      const std::filesystem::path& real_path) const override;
  Result<platform::Replaced> replace_real(const std::filesystem::path& real_path,
                                          std::string_view bytes,
                                          const platform::ReplaceOptions& options) override;

  Result<platform::FileInfo> info(const std::filesystem::path& path) const override {
    return disk_.info(path);
  }
  Result<std::string> read(const std::filesystem::path& path,
                           std::uint64_t max_bytes) const override {
    return disk_.read(path, max_bytes);
  }
  Result<void> replace(const std::filesystem::path& path, std::string_view bytes) override {
    return disk_.replace(path, bytes);
  }
  Result<std::unique_ptr<platform::GrowingFile>> create_private(
      const std::filesystem::path& path) override {
    return disk_.create_private(path);
  }
  Result<void> create_directories(const std::filesystem::path& path) override {
    return disk_.create_directories(path);
  }
  Result<std::vector<platform::DirectoryEntry>> list(
      const std::filesystem::path& path) const override {
    return disk_.list(path);
  }
  Result<std::filesystem::path> real_path(const std::filesystem::path& path) const override {
    return disk_.real_path(path);
  }
  [[nodiscard]] Result<platform::FileOwner> owner_of(
      const std::filesystem::path& path) const override {
    return disk_.owner_of(path);
  }
  [[nodiscard]] std::vector<std::filesystem::path> names_of(
      const std::filesystem::path& path) const override {
    return disk_.names_of(path);
  }
  Result<std::unique_ptr<platform::SearchTree>> open_tree(
      const std::filesystem::path& path) const override {
    return disk_.open_tree(path);
  }

 private:
  [[nodiscard]] CancelToken cancel() const;

  platform::FileSystem& disk_;
  core::Questions& host_;
  core::HostAbilities abilities_;
  mutable std::mutex mutex_;
  CancelToken cancel_;
};

}  // namespace yume::session
