// SPDX-License-Identifier: MIT
// The ignore files that bear on a directory, from its own up to the file system's root, in
// ripgrep's order: .rgignore over .ignore over .gitignore over .git/info/exclude over the user's
// global excludes; for each, the nearest directory first; git's only inside a repository and not
// beyond its top. A node never changes once made; any thread.
#pragma once

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "platform/file_system.h"
#include "tools/search/ignore_rules.h"

namespace yume::tools::search {

enum class IgnoreSource { rgignore, ignore, gitignore, exclude, global };
inline constexpr std::size_t k_ignore_sources = 5;

// Shared, because many directories handled by several threads hang on the same parents.
struct IgnoreNode {
  std::shared_ptr<const IgnoreNode> parent;
  std::array<IgnoreRules, k_ignore_sources> rules = {};
  bool is_repository = false;
  std::string above;      // the way down to the search's root, when this directory lies above it
  std::size_t below = 0;  // bytes of an entry's path that lead here, when it lies below
};
using IgnoreNodes = std::shared_ptr<const IgnoreNode>;

// The directories above `root` (a real path). nullptr when none has anything to say.
IgnoreNodes ignore_files_above(const platform::FileSystem& files, const std::filesystem::path& root,
                               const std::filesystem::path& home);

struct ListedDirectory {
  const platform::SearchTree& tree;
  const platform::TreeDirectory& directory;
  const std::vector<platform::DirectoryEntry>& entries;
  const std::string& path;  // relative to the search's root, "" the root
};

// `parents` and this directory's own files; `parents` itself when there are none.
IgnoreNodes with_ignore_files_of(const ListedDirectory& listed, const IgnoreNodes& parents,
                                 const IgnoreRules& global);

// `entry.path` is relative to the search's root.
Verdict judge(const IgnoreNode* nearest, const Candidate& entry);

// core.excludesFile of ~/.gitconfig, else ~/.config/git/ignore.
IgnoreRules global_ignore_rules(const platform::FileSystem& files,
                                const std::filesystem::path& home);

}  // namespace yume::tools::search
