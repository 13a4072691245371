// SPDX-License-Identifier: MIT
#include "app/hosts/host_places.h"

#include "platform/path_list.h"
#include "platform/program_search.h"
#include "util/path_text.h"

#include <algorithm>

namespace yume::app {
namespace {

namespace fs = std::filesystem;

// ZFS has an event daemon in the folders of the system's own programs that is called zed.
bool is_system_folder(const fs::path& folder) {
  return folder.filename() == "sbin";
}

}  // namespace

SystemKind system_kind(const platform::Environment& environment) {
  if (environment.os_name.starts_with("Darwin")) return SystemKind::mac;
  if (environment.os_name.starts_with("Windows")) return SystemKind::windows;
  return SystemKind::linux_like;
}

HostPlaces::HostPlaces(const platform::Environment& environment, const platform::FileSystem& files)
    : environment_(environment), files_(files), system_(system_kind(environment)) {}

fs::path HostPlaces::folder_of(const char* variable, const fs::path& usual) const {
  if (const auto named = environment_.get(variable)) {
    fs::path folder = path_from_utf8(*named);
    if (folder.is_absolute()) return folder;
  }
  return environment_.home.empty() ? fs::path() : environment_.home / usual;
}

fs::path HostPlaces::xdg_config() const {
  return folder_of("XDG_CONFIG_HOME", ".config");
}

fs::path HostPlaces::xdg_data() const {
  return folder_of("XDG_DATA_HOME", fs::path(".local") / "share");
}

fs::path HostPlaces::app_config() const {
  return system_ == SystemKind::linux_like ? xdg_config() : app_data();
}

fs::path HostPlaces::app_data() const {
  switch (system_) {
    case SystemKind::windows:
      return folder_of("APPDATA", fs::path("AppData") / "Roaming");
    case SystemKind::mac:
      return in_home("Library/Application Support");
    case SystemKind::linux_like:
      break;
  }
  return xdg_data();
}

fs::path HostPlaces::local_app_data() const {
  return folder_of("LOCALAPPDATA", fs::path("AppData") / "Local");
}

fs::path HostPlaces::in_home(std::string_view name) const {
  return environment_.home.empty() ? fs::path() : environment_.home / path_from_utf8(name);
}

bool HostPlaces::is_folder(const fs::path& path) const {
  if (path.empty()) return false;
  const auto info = files_.info(path);
  return info.ok() && info->kind == platform::FileKind::directory;
}

bool HostPlaces::has_folder_named(const fs::path& folder, std::string_view beginning) const {
  const auto entries =
      folder.empty()
          ? Result<std::vector<platform::DirectoryEntry>>(std::vector<platform::DirectoryEntry>())
          : files_.list(folder);
  return entries.ok() &&
         std::any_of(entries->begin(), entries->end(), [&](const platform::DirectoryEntry& entry) {
           return entry.name.starts_with(beginning) &&
                  is_folder(folder / path_from_utf8(entry.name));
         });
}

bool HostPlaces::has_program(const std::string& name) const {
  std::vector<fs::path> folders = platform::path_directories(environment_);
  std::erase_if(folders, is_system_folder);
  return !platform::programs_named(name, folders, {}, files_).empty();
}

bool HostPlaces::has_application(const std::string& name) const {
  if (system_ != SystemKind::mac) return false;
  return is_folder(fs::path("/Applications") / name) || is_folder(in_home("Applications/" + name));
}

fs::path lasting_program(const platform::Environment& environment,
                         const platform::FileSystem& files) {
  const auto self = files.real_path(environment.executable);
  if (!self.ok()) return environment.executable;
  for (const fs::path& program :
       platform::programs_named("yume-cli", platform::path_directories(environment), {}, files)) {
    const auto real = files.real_path(program);
    if (real.ok() && *real == *self) return program;
  }
  return environment.executable;
}

}  // namespace yume::app
