// SPDX-License-Identifier: MIT
#include "auth/gcloud_program.h"

#include <algorithm>
#include <utility>

#include "platform/path_list.h"
#include "platform/program_search.h"
#include "util/ascii.h"
#include "util/path_text.h"

namespace yume::auth {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path, const platform::FileSystem& files) {
  const auto info = files.info(path);
  return info.ok() && info->kind == platform::FileKind::regular;
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
    if (platform::lies_in_workspace(named, search.workspace, files)) {
      return refuse(named, "programs inside the workspace are not trusted with credentials");
    }
    return std::vector<fs::path>{std::move(named)};
  }
  std::vector<fs::path> directories = platform::path_directories(environment);
  for (fs::path& usual : usual_directories(environment)) {
    const bool known =
        std::find(directories.begin(), directories.end(), usual) != directories.end();
    if (!known) directories.push_back(std::move(usual));
  }
  return platform::programs_named("gcloud", directories, search.workspace, files);
}

Result<std::vector<std::string>> gcloud_command(const fs::path& program, const GcloudSearch& search,
                                                const platform::Environment& environment,
                                                const platform::FileSystem& files) {
  if (ascii_lower(to_utf8(program.extension())) != ".cmd") {
    return std::vector<std::string>{to_utf8(program)};
  }
  const fs::path sdk = program.parent_path().parent_path();
  const fs::path script = sdk / "lib" / "gcloud.py";
  if (!is_file(script, files))
    return refuse(program, "there is no lib\\gcloud.py beside its folder");
  fs::path python = sdk / "platform" / "bundledpython" / "python.exe";
  if (!is_file(python, files)) {
    const auto others = platform::programs_named("python", platform::path_directories(environment),
                                                 search.workspace, files);
    if (others.empty()) return refuse(program, "it has no Python, and there is none on PATH");
    python = others.front();
  }
  return std::vector<std::string>{to_utf8(python), "-S", to_utf8(script)};
}

std::string safe_path(const GcloudSearch& search, const platform::Environment& environment,
                      const platform::FileSystem& files) {
  std::string path;
  for (const fs::path& directory : platform::path_directories(environment)) {
    if (platform::lies_in_workspace(directory, search.workspace, files)) continue;
    if (!path.empty()) path += platform::path_separator();
    path += to_utf8(directory);
  }
  return path;
}

}  // namespace yume::auth
