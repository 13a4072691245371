// SPDX-License-Identifier: MIT
#include "transcript/git_branch.h"

#include <cstdint>
#include <string_view>

namespace yume::transcript {

std::string git_branch(const platform::FileSystem& files, std::filesystem::path directory) {
  constexpr std::uint64_t k_largest_head = 4096;
  constexpr std::string_view k_branch = "ref: refs/heads/";
  for (;; directory = directory.parent_path()) {
    const auto head = files.read(directory / ".git" / "HEAD", k_largest_head);
    if (head.ok()) {
      const std::string_view text = *head;
      if (!text.starts_with(k_branch)) return "";
      return std::string(text.substr(k_branch.size(), text.find('\n') - k_branch.size()));
    }
    if (directory == directory.parent_path()) return "";
  }
}

}  // namespace yume::transcript
