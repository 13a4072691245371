// SPDX-License-Identifier: MIT
#include "auth/gcloud_program.h"

#include <algorithm>
#include <string_view>

#include "util/path_text.h"

namespace yume::auth {
namespace {

namespace fs = std::filesystem;

// True as well for what cannot be resolved.
bool lies_in_workspace(const fs::path& path, const GcloudSearch& search,
                       const platform::FileSystem& files) {
  const auto real = files.real_path(path);
  if (!real.ok()) return true;
  return std::any_of(
      search.workspace.begin(), search.workspace.end(), [&real](const fs::path& root) {
        // Started in "/", everything would be the workspace's, the system's own programs too.
        if (root == root.root_path()) return false;
        return std::mismatch(root.begin(), root.end(), real->begin(), real->end()).first ==
               root.end();
      });
}

bool is_file(const fs::path& path, const platform::FileSystem& files) {
  const auto info = files.info(path);
  return info.ok() && info->kind == platform::FileKind::regular;
}

std::vector<fs::path> path_directories(const platform::Environment& environment) {
  std::vector<fs::path> directories;
  const std::string path = environment.get("PATH").value_or("");
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t end = rest.find(':');
    fs::path directory(rest.substr(0, end));
    if (directory.is_absolute()) directories.push_back(std::move(directory));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return directories;
}

// Where installers put it on macOS, whose programs with windows have a PATH without any of them.
// Elsewhere PATH is what the user made it.
std::vector<fs::path> usual_directories(const platform::Environment& environment) {
  std::vector<fs::path> directories;
  if (!environment.os_name.starts_with("Darwin")) return directories;
  if (!environment.home.empty()) {
    directories.push_back(environment.home / "google-cloud-sdk" / "bin");
  }
  for (const char* directory :
       {"/opt/homebrew/bin", "/opt/homebrew/share/google-cloud-sdk/bin", "/usr/local/bin",
        "/usr/local/share/google-cloud-sdk/bin", "/usr/local/google-cloud-sdk/bin"}) {
    directories.emplace_back(directory);
  }
  return directories;
}

Error refuse(const fs::path& path, const char* why) {
  return {.code = ErrorCode::auth, .message = "cannot run " + to_utf8(path) + ": " + why};
}

}  // namespace

Result<std::vector<fs::path>> find_gcloud(const GcloudSearch& search,
                                          const platform::Environment& environment,
                                          const platform::FileSystem& files) {
  if (!search.named.empty()) {
    fs::path named = environment.cwd / search.named;
    if (!is_file(named, files)) return refuse(named, "no such file; check --gcloud-path");
    if (lies_in_workspace(named, search, files)) {
      return refuse(named, "programs inside the workspace are not trusted with credentials");
    }
    return std::vector<fs::path>{std::move(named)};
  }
  std::vector<fs::path> directories = path_directories(environment);
  for (fs::path& usual : usual_directories(environment)) {
    const bool known =
        std::find(directories.begin(), directories.end(), usual) != directories.end();
    if (!known) directories.push_back(std::move(usual));
  }
  std::vector<fs::path> found;
  for (const fs::path& directory : directories) {
    fs::path program = directory / "gcloud";
    // The directory and where the file really is: either may be the workspace's.
    if (is_file(program, files) && !lies_in_workspace(directory, search, files) &&
        !lies_in_workspace(program, search, files)) {
      found.push_back(std::move(program));
    }
  }
  return found;
}

std::string safe_path(const GcloudSearch& search, const platform::Environment& environment,
                      const platform::FileSystem& files) {
  std::string path;
  for (const fs::path& directory : path_directories(environment)) {
    if (lies_in_workspace(directory, search, files)) continue;
    path.append(path.empty() ? "" : ":").append(to_utf8(directory));
  }
  return path;
}

}  // namespace yume::auth
