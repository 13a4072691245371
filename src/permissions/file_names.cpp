// SPDX-License-Identifier: MIT
#include "permissions/file_names.h"

#include "util/path_text.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

bool has_parents(const fs::path& path) {
  return std::find(path.begin(), path.end(), fs::path("..")) != path.end();
}

fs::path without_parents(const fs::path& path) {
  fs::path plain = path.lexically_normal();
  if (!plain.has_filename() && plain.has_relative_path()) plain = plain.parent_path();
  return plain;
}

// `/dev/stdout`, `/dev/fd/3`: what a command was started with. For this process they would lead to
// its own.
bool is_own_descriptor(const fs::path& path) {
  const std::string text = to_generic_utf8(path);
  constexpr std::string_view k_folder = "/dev/fd/";
  if (text.starts_with(k_folder)) {
    return text.size() > k_folder.size() &&
           text.find_first_not_of("0123456789", k_folder.size()) == std::string::npos;
  }
  return text == "/dev/stdin" || text == "/dev/stdout" || text == "/dev/stderr";
}

}  // namespace

std::vector<fs::path> all_names(const fs::path& given, const FileNames& names) {
  std::vector<fs::path> all = {without_parents(given)};
  if (!names || is_own_descriptor(given)) return all;
  for (fs::path& name : names(given)) {
    if (has_parents(name) || std::find(all.begin(), all.end(), name) != all.end()) continue;
    all.push_back(std::move(name));
  }
  return all;
}

fs::path with_parents_kept(const fs::path& path) {
  if (!has_parents(path)) return without_parents(path);
  fs::path kept;
  for (const fs::path& name : path) {
    if (!name.empty() && name != ".") kept /= name;
  }
  return kept;
}

}  // namespace yume::permissions
