// SPDX-License-Identifier: MIT
#include "tools/similar_name.h"

#include "util/ascii.h"
#include "util/nearest_word.h"

#include <algorithm>

namespace yume::tools {
namespace {

std::string_view stem(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

// 0 is best; above the limit it is another name.
std::size_t unlikeness(std::string_view wanted, std::string_view name) {
  const std::string left = ascii_lower(wanted);
  const std::string right = ascii_lower(name);
  if (left == right) return 0;
  if (stem(left) == stem(right)) return 1;
  return 1 + edit_distance(left, right);
}

}  // namespace

std::optional<std::string> similar_name(std::string_view wanted,
                                        const std::vector<std::string>& names) {
  const std::size_t most = 1 + std::clamp<std::size_t>(wanted.size() / 4, 1, 3);
  std::size_t best = most + 1;
  std::optional<std::string> found;
  for (const std::string& name : names) {
    const std::size_t shorter = std::min(wanted.size(), name.size());
    const std::size_t longer = std::max(wanted.size(), name.size());
    if (longer - shorter > most + 5) continue;  // an extension may be missing
    const std::size_t unlike = unlikeness(wanted, name);
    if (unlike < best) {
      best = unlike;
      found = name;
    }
  }
  return found;
}

}  // namespace yume::tools
