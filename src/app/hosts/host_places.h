// SPDX-License-Identifier: MIT
// Where programs keep their settings and are installed on this system, and whether something of a
// host is there. Reads folders, starts nothing.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platform/environment.h"
#include "platform/file_system.h"

namespace yume::app {

enum class SystemKind { linux_like, mac, windows };
SystemKind system_kind(const platform::Environment& environment);

class HostPlaces {
 public:
  // Both are borrowed.
  HostPlaces(const platform::Environment& environment, const platform::FileSystem& files);

  [[nodiscard]] SystemKind system() const { return system_; }
  [[nodiscard]] const platform::Environment& environment() const { return environment_; }
  [[nodiscard]] const platform::FileSystem& files() const { return files_; }

  // Empty paths when there is no home directory.
  [[nodiscard]] std::filesystem::path xdg_config() const;  // ~/.config, also on macOS
  [[nodiscard]] std::filesystem::path xdg_data() const;    // ~/.local/share, also on macOS
  // Of programs with windows: ~/.config or ~/.local/share, ~/Library/Application Support,
  // %APPDATA%.
  [[nodiscard]] std::filesystem::path app_config() const;
  [[nodiscard]] std::filesystem::path app_data() const;
  [[nodiscard]] std::filesystem::path local_app_data() const;  // of Windows
  [[nodiscard]] std::filesystem::path in_home(std::string_view name) const;

  [[nodiscard]] bool is_folder(const std::filesystem::path& path) const;
  // Some folder in `folder` has a name that begins so.
  [[nodiscard]] bool has_folder_named(const std::filesystem::path& folder,
                                      std::string_view beginning) const;
  // In an absolute folder of PATH.
  [[nodiscard]] bool has_program(const std::string& name) const;
  // "Zed.app" in a folder of applications of macOS.
  [[nodiscard]] bool has_application(const std::string& name) const;

 private:
  [[nodiscard]] std::filesystem::path folder_of(const char* variable,
                                                const std::filesystem::path& usual) const;

  const platform::Environment& environment_;
  const platform::FileSystem& files_;
  SystemKind system_;
};

// This program as a host should be given it: by the name that PATH knows it by, which stays when
// the program is renewed, else where it is.
std::filesystem::path lasting_program(const platform::Environment& environment,
                                      const platform::FileSystem& files);

}  // namespace yume::app
