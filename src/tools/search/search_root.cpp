// SPDX-License-Identifier: MIT
#include "tools/search/search_root.h"

#include "tools/args.h"
#include "tools/text_file.h"
#include "util/path_text.h"

#include <algorithm>

namespace yume::tools::search {
namespace {

namespace fs = std::filesystem;

std::string shown_prefix(const fs::path& directory, const fs::path& cwd) {
  const std::string relative = to_generic_utf8(directory.lexically_relative(cwd));
  if (relative == ".") return "";
  const bool outside = relative.empty() || relative == ".." || relative.starts_with("../");
  std::string shown = outside ? to_generic_utf8(directory) : relative;
  if (!shown.ends_with('/')) shown.push_back('/');
  return shown;
}

}  // namespace

std::variant<SearchRoot, core::ToolOutcome> find_root(const NamedFile& named,
                                                      const ToolContext& context) {
  const auto info = context.files.info(named.real);
  if (!info.ok()) {
    if (info.error().code != ErrorCode::not_found) return failed_running(info.error().message);
    return refused_input("Path does not exist: " + to_utf8(named.given) +
                         ". Note: your current working directory is " + to_utf8(context.cwd) + ".");
  }
  NamedFile directory = named;
  // "src/" and "src" are one directory.
  if (!directory.given.has_filename() && directory.given.has_relative_path()) {
    directory.given = directory.given.parent_path();
  }
  if (info->kind == platform::FileKind::directory) {
    std::string prefix = shown_prefix(directory.given, context.cwd);
    return SearchRoot{.directory = std::move(directory), .prefix = std::move(prefix)};
  }
  if (info->kind != platform::FileKind::regular) {
    return failed_running("cannot search " + to_utf8(named.given) + ": not a regular file");
  }
  std::string prefix = shown_prefix(directory.given.parent_path(), context.cwd);
  return SearchRoot{
      .directory = {.given = directory.given.parent_path(), .real = directory.real.parent_path()},
      .file = to_utf8(directory.real.filename()),
      .prefix = std::move(prefix)};
}

void add_ignore_files(WalkSettings& settings, const SearchRoot& root, const ToolContext& context) {
  settings.above = ignore_files_above(context.files, root.directory.real, context.home);
  settings.global = global_ignore_rules(context.files, context.home);
  if (!context.hides) return;
  settings.hides = [&hides = context.hides, base = root.directory.real](std::string_view below) {
    return hides(base / below);
  };
}

bool path_less(std::string_view left, std::string_view right) {
  return std::lexicographical_compare(
      left.begin(), left.end(), right.begin(), right.end(), [](char a, char b) {
        const auto rank = [](char c) { return c == '/' ? 0U : static_cast<unsigned char>(c); };
        return rank(a) < rank(b);
      });
}

std::string counted(std::size_t count, std::string_view noun) {
  return std::to_string(count) + " " + std::string(noun) + (count == 1 ? "" : "s");
}

}  // namespace yume::tools::search
