// SPDX-License-Identifier: MIT
// How paths lie to each other, by their names alone. Both are absolute and without "." and "..".
#pragma once

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace yume {

// Component by component: /w/app-secret is not inside /w/app. A path is inside itself; a slash at
// the end of `root` does not count.
inline bool lies_inside(const std::filesystem::path& path, const std::filesystem::path& root) {
  const auto [root_end, rest] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return root_end == root.end() || (std::next(root_end) == root.end() && root_end->empty());
}

inline bool lies_strictly_inside(const std::filesystem::path& path,
                                 const std::filesystem::path& root) {
  return lies_inside(path, root) && !lies_inside(root, path);
}

}  // namespace yume
