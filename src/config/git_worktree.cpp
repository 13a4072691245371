// SPDX-License-Identifier: MIT
#include "config/git_worktree.h"

#include <cstdint>
#include <string>
#include <string_view>

#include "util/path_text.h"

namespace yume::config {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t k_largest_file = 8192;

// Its first line; empty when there is none.
std::string line_of(const fs::path& file, const platform::FileSystem& files) {
  const auto text = files.read(file, k_largest_file);
  return text.ok() ? text->substr(0, text->find_first_of("\r\n")) : std::string();
}

// What the line names, seen from `folder`; empty when there is nothing.
fs::path real_target(const fs::path& folder, std::string_view line,
                     const platform::FileSystem& files) {
  if (line.empty()) return {};
  auto real = files.real_path(folder / path_from_utf8(line));
  return real.ok() ? std::move(real).value() : fs::path();
}

}  // namespace

WorktreePlaces worktree_places(const fs::path& root, const platform::FileSystem& files) {
  constexpr std::string_view k_prefix = "gitdir: ";
  const std::string line = line_of(root / ".git", files);
  if (!line.starts_with(k_prefix)) return {};
  const fs::path own = real_target(root, std::string_view(line).substr(k_prefix.size()), files);
  const fs::path common = real_target(own, line_of(own / "commondir", files), files);
  const fs::path named = real_target(own, line_of(own / "gitdir", files), files);
  if (own.empty() || common.empty() || named != root / ".git") return {};
  if (own.parent_path() != common / "worktrees") return {};
  return {.writable = {own, common / "objects", common / "refs", common / "logs"},
          .read_only = {root / ".git", own / "commondir", own / "gitdir", own / "config.worktree"}};
}

}  // namespace yume::config
