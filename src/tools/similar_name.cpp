// SPDX-License-Identifier: MIT
#include "tools/similar_name.h"

#include <algorithm>
#include <numeric>

namespace yume::tools {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

std::string_view stem(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  return dot == std::string_view::npos || dot == 0 ? name : name.substr(0, dot);
}

// Levenshtein's distance; names are at most 255 bytes.
std::size_t distance(std::string_view left, std::string_view right) {
  std::vector<std::size_t> row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t replaced = diagonal + (left[i] == right[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, diagonal + 1, row[j] + 1});
    }
  }
  return row.back();
}

// 0 is best; above the limit it is another name.
std::size_t unlikeness(std::string_view wanted, std::string_view name) {
  const std::string left = lower(wanted);
  const std::string right = lower(name);
  if (left == right) return 0;
  if (stem(left) == stem(right)) return 1;
  return 1 + distance(left, right);
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
