// SPDX-License-Identifier: MIT
#include "transcript/short_ids.h"

#include <algorithm>

namespace yume::transcript {
namespace {

constexpr std::size_t k_shortest = 8;

std::size_t common_length(const std::string& left, const std::string& right) {
  const auto ends = std::mismatch(left.begin(), left.end(), right.begin(), right.end());
  return static_cast<std::size_t>(ends.first - left.begin());
}

}  // namespace

std::map<std::string, std::string> short_ids(std::vector<std::string> ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  std::map<std::string, std::string> shortened;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    // In a sorted list only neighbours can share more.
    std::size_t shared = i > 0 ? common_length(ids[i], ids[i - 1]) : 0;
    if (i + 1 < ids.size()) shared = std::max(shared, common_length(ids[i], ids[i + 1]));
    shortened[ids[i]] = ids[i].substr(0, std::max(shared + 1, k_shortest));
  }
  return shortened;
}

}  // namespace yume::transcript
