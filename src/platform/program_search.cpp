// SPDX-License-Identifier: MIT
#include "platform/program_search.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "platform/path_list.h"
#include "util/path_text.h"

namespace yume::platform {
namespace {

namespace fs = std::filesystem;

bool is_file(const fs::path& path, const FileSystem& files) {
  const auto info = files.info(path);
  return info.ok() && info->kind == FileKind::regular;
}

}  // namespace

std::vector<fs::path> path_directories(const Environment& environment) {
  std::vector<fs::path> directories;
  const std::string path = environment.get("PATH").value_or("");
  for (std::string_view rest = path; !rest.empty();) {
    const std::size_t end = rest.find(path_separator());
    fs::path directory = path_from_utf8(rest.substr(0, end));
    if (directory.is_absolute()) directories.push_back(std::move(directory));
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
  }
  return directories;
}

bool lies_in_workspace(const fs::path& path, const std::vector<fs::path>& workspace,
                       const FileSystem& files) {
  const auto real = files.real_path(path);
  if (!real.ok()) return true;
  return std::any_of(workspace.begin(), workspace.end(), [&real](const fs::path& root) {
    // Started in "/", everything would be the workspace's, the system's own programs too.
    if (root == root.root_path()) return false;
    return std::mismatch(root.begin(), root.end(), real->begin(), real->end()).first == root.end();
  });
}

std::vector<fs::path> programs_named(const std::string& name,
                                     const std::vector<fs::path>& directories,
                                     const std::vector<fs::path>& workspace,
                                     const FileSystem& files) {
  std::vector<fs::path> found;
  for (const fs::path& directory : directories) {
    for (const std::string& file : program_file_names(name)) {
      fs::path program = directory / file;
      // The directory and where the file really is: either may be the workspace's.
      if (is_file(program, files) && !lies_in_workspace(directory, workspace, files) &&
          !lies_in_workspace(program, workspace, files)) {
        found.push_back(std::move(program));
      }
    }
  }
  return found;
}

}  // namespace yume::platform
