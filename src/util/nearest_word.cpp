// SPDX-License-Identifier: MIT
#include "util/nearest_word.h"

#include "util/ascii.h"

#include <algorithm>
#include <numeric>

namespace yume {
namespace {

constexpr std::size_t k_longest_word = 64;       // what is longer is a text, not a slip
constexpr std::size_t k_shortest_beginning = 3;  // "doc" for doctor, but not "d"

// The only word that begins so.
std::optional<std::string> begun_by(const std::string& typed,
                                    const std::vector<std::string_view>& words) {
  if (typed.size() < k_shortest_beginning) return std::nullopt;
  const auto begins = [&typed](std::string_view word) { return word.starts_with(typed); };
  if (std::count_if(words.begin(), words.end(), begins) != 1) return std::nullopt;
  return std::string(*std::find_if(words.begin(), words.end(), begins));
}

}  // namespace

std::size_t edit_distance(std::string_view left, std::string_view right) {
  using Row = std::vector<std::size_t>;
  Row before(right.size() + 1);  // two rows up, for swapped neighbours
  Row above(right.size() + 1);
  Row row(right.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < left.size(); ++i) {
    before.swap(above);
    above.swap(row);
    row[0] = i + 1;
    for (std::size_t j = 0; j < right.size(); ++j) {
      const std::size_t replaced = above[j] + (left[i] == right[j] ? 0 : 1);
      row[j + 1] = std::min({replaced, above[j + 1] + 1, row[j] + 1});
      const bool swapped = i > 0 && j > 0 && left[i] == right[j - 1] && left[i - 1] == right[j];
      if (swapped) row[j + 1] = std::min(row[j + 1], before[j - 1] + 1);
    }
  }
  return row.back();
}

std::optional<std::string> nearest_word(std::string_view typed,
                                        const std::vector<std::string_view>& words) {
  if (typed.empty() || typed.size() > k_longest_word) return std::nullopt;
  const std::string wanted = ascii_lower(typed);
  std::size_t best = std::clamp<std::size_t>(wanted.size() / 3, 1, 3) + 1;
  std::optional<std::string> found;
  for (const std::string_view word : words) {
    const std::size_t distance = edit_distance(wanted, ascii_lower(word));
    // A word of which nothing is left is no slip of another.
    if (distance >= best || distance >= word.size()) continue;
    best = distance;
    found = word;
  }
  return found ? found : begun_by(wanted, words);
}

}  // namespace yume
