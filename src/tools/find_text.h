// SPDX-License-Identifier: MIT
// Finding one sequence in another in linear time, whatever the two are: std::string::find takes
// hours for a few megabytes of equal letters. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace yume::tools {

inline constexpr std::size_t k_not_found = static_cast<std::size_t>(-1);

// Knuth, Morris and Pratt's. Both are random access; `needle` is not empty and below 4 GB.
template <class Sequence>
class LinearSearch {
 public:
  explicit LinearSearch(const Sequence& needle) : needle_(needle), border_(needle.size()) {
    std::uint32_t length = 0;
    for (std::size_t i = 1; i < needle.size(); ++i) {
      while (length > 0 && !(needle[i] == needle[length])) length = border_[length - 1];
      if (needle[i] == needle[length]) ++length;
      border_[i] = length;
    }
  }

  // The first place at or after `from`, or k_not_found.
  std::size_t find(const Sequence& hay, std::size_t from) const {
    std::uint32_t matched = 0;
    for (std::size_t i = from; i < hay.size(); ++i) {
      while (matched > 0 && !(hay[i] == needle_[matched])) matched = border_[matched - 1];
      if (hay[i] == needle_[matched]) ++matched;
      if (matched == needle_.size()) return i + 1 - matched;
    }
    return k_not_found;
  }

 private:
  const Sequence& needle_;
  std::vector<std::uint32_t> border_;  // the longest proper prefix of each prefix that ends it too
};

// Where `needle`, which is not empty, is, without overlap, from the left; at most `most` places.
inline std::vector<std::size_t> find_places(std::string_view hay, std::string_view needle,
                                            std::size_t most = k_not_found) {
  constexpr std::size_t k_short = 512;  // where the plain search is never slow
  std::vector<std::size_t> places;
  const auto collect = [&](const auto& find) {
    for (std::size_t at = 0; places.size() < most; at += needle.size()) {
      at = find(at);
      if (at == k_not_found) return;
      places.push_back(at);
    }
  };
  if (needle.size() > hay.size()) return places;
  if (needle.size() <= k_short) {
    collect([&](std::size_t from) { return hay.find(needle, from); });
  } else {
    const LinearSearch<std::string_view> search(needle);
    collect([&](std::size_t from) { return search.find(hay, from); });
  }
  return places;
}

}  // namespace yume::tools
