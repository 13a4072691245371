// SPDX-License-Identifier: MIT
#include "tools/line_diff.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>

namespace yume::tools {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t k_context = 3;
// What the search remembers grows with the square of the differences.
constexpr int k_most_differences = 1000;
constexpr std::int64_t k_most_comparisons = 20'000'000;

std::string_view without_end(std::string_view line) {
  if (line.ends_with('\n')) line.remove_suffix(1);
  return line;
}

// Where the two texts differ at all.
struct Middle {
  std::size_t head = 0;  // equal lines at the start
  std::size_t old_size = 0;
  std::size_t new_size = 0;
};

Middle differing_middle(const Lines& before, const Lines& after) {
  const std::size_t shorter = std::min(before.size(), after.size());
  Middle middle;
  while (middle.head < shorter && before[middle.head] == after[middle.head]) ++middle.head;
  std::size_t tail = 0;
  while (tail < shorter - middle.head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail]) {
    ++tail;
  }
  middle.old_size = before.size() - middle.head - tail;
  middle.new_size = after.size() - middle.head - tail;
  return middle;
}

// Myers' greedy search for the shortest edit script ("An O(ND) Difference Algorithm", 1986). A
// diagonal is x - y; `furthest` holds, for each diagonal, the x reached with so many differences.
class ShortestScript {
 public:
  ShortestScript(const Lines& before, const Lines& after, const Middle& middle) : middle_(middle) {
    before_ = numbers_of(before, middle.old_size);
    after_ = numbers_of(after, middle.new_size);
  }

  // Changes inside the middle, last first; nullopt when there are too many.
  std::optional<std::vector<LineChange>> find() {
    const auto all = static_cast<std::int64_t>(middle_.old_size + middle_.new_size);
    const int most = static_cast<int>(std::min<std::int64_t>(all, k_most_differences));
    std::vector<int> furthest(static_cast<std::size_t>(2 * most + 3), 0);
    const int origin = most + 1;
    for (int differences = 0; differences <= most; ++differences) {
      for (int diagonal = -differences; diagonal <= differences; diagonal += 2) {
        const auto at = static_cast<std::size_t>(origin + diagonal);
        int x = steps_down(furthest, at, diagonal, differences) ? furthest[at + 1]
                                                                : furthest[at - 1] + 1;
        x = along_equal_lines(x, x - diagonal);
        furthest[at] = x;
        if (x >= old_size() && x - diagonal >= new_size()) {
          keep(furthest, origin, differences);
          return trace_back(differences);
        }
      }
      if (comparisons_ > k_most_comparisons) return std::nullopt;
      keep(furthest, origin, differences);
    }
    return std::nullopt;
  }

 private:
  int old_size() const { return static_cast<int>(middle_.old_size); }
  int new_size() const { return static_cast<int>(middle_.new_size); }

  static bool steps_down(const std::vector<int>& furthest, std::size_t at, int diagonal,
                         int differences) {
    return diagonal == -differences ||
           (diagonal != differences && furthest[at - 1] < furthest[at + 1]);
  }

  // Equal lines get equal numbers, so that long lines are compared only once.
  std::vector<int> numbers_of(const Lines& lines, std::size_t size) {
    std::vector<int> numbers;
    numbers.reserve(size);
    for (std::size_t i = 0; i < size; ++i) {
      const auto number = static_cast<int>(numbers_.size());
      numbers.push_back(numbers_.emplace(lines[middle_.head + i], number).first->second);
    }
    return numbers;
  }

  int along_equal_lines(int x, int y) {
    const int start = x;
    while (x < old_size() && y < new_size() &&
           before_[static_cast<std::size_t>(x)] == after_[static_cast<std::size_t>(y)]) {
      ++x;
      ++y;
    }
    comparisons_ += x - start + 1;
    return x;
  }

  // Only the diagonals that round could reach.
  void keep(const std::vector<int>& furthest, int origin, int differences) {
    const auto from = furthest.begin() + (origin - differences - 1);
    rounds_.emplace_back(from, from + (2 * differences + 3));
  }

  std::vector<LineChange> trace_back(int differences) const {
    std::vector<LineChange> changes;
    int x = old_size();
    int y = new_size();
    for (int round = differences; round > 0; --round) {
      const std::vector<int>& furthest = rounds_[static_cast<std::size_t>(round - 1)];
      const int diagonal = x - y;
      // That round's slice begins at diagonal -round.
      const auto at = [&](int wanted) {
        return furthest[static_cast<std::size_t>(wanted + round)];
      };
      const bool down =
          diagonal == -round || (diagonal != round && at(diagonal - 1) < at(diagonal + 1));
      const int from_diagonal = down ? diagonal + 1 : diagonal - 1;
      const int from_x = at(from_diagonal);
      const int from_y = from_x - from_diagonal;
      add_step(changes, from_x, from_y, down);
      x = from_x;
      y = from_y;
    }
    return changes;
  }

  // One line removed or added at (x, y), joined to the change that follows it when they touch.
  void add_step(std::vector<LineChange>& changes, int x, int y, bool down) const {
    const std::size_t old_begin = middle_.head + static_cast<std::size_t>(x);
    const std::size_t new_begin = middle_.head + static_cast<std::size_t>(y);
    const std::size_t old_end = old_begin + (down ? 0U : 1U);
    const std::size_t new_end = new_begin + (down ? 1U : 0U);
    if (!changes.empty() && changes.back().old_begin == old_end &&
        changes.back().new_begin == new_end) {
      changes.back().old_begin = old_begin;
      changes.back().new_begin = new_begin;
    } else {
      changes.push_back({old_begin, old_end, new_begin, new_end});
    }
  }

  const Middle& middle_;
  std::unordered_map<std::string_view, int> numbers_;
  std::vector<int> before_;  // of the middle only, as numbers
  std::vector<int> after_;
  std::int64_t comparisons_ = 0;
  std::vector<std::vector<int>> rounds_;
};

void add_lines(core::PatchHunk& hunk, char mark, const Lines& lines, std::size_t from,
               std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    const std::string_view line = without_end(lines[i]);
    std::string& added = hunk.lines.emplace_back();
    added.reserve(line.size() + 1);
    added.append(1, mark).append(line);
  }
}

// Changes [from, to), near enough to share one hunk.
core::PatchHunk hunk_of(const Lines& before, const Lines& after,
                        const std::vector<LineChange>& changes, std::size_t from, std::size_t to) {
  const LineChange& first = changes[from];
  const LineChange& last = changes[to - 1];
  const std::size_t lead = std::min(first.old_begin, k_context);
  const std::size_t old_start = first.old_begin - lead;
  const std::size_t new_start = first.new_begin - lead;
  const std::size_t old_stop = std::min(last.old_end + k_context, before.size());
  const std::size_t new_stop = last.new_end + (old_stop - last.old_end);
  core::PatchHunk hunk{.old_start = static_cast<std::int64_t>(old_start + 1),
                       .old_lines = static_cast<std::int64_t>(old_stop - old_start),
                       .new_start = static_cast<std::int64_t>(new_start + 1),
                       .new_lines = static_cast<std::int64_t>(new_stop - new_start)};
  std::size_t at = old_start;
  for (std::size_t i = from; i < to; ++i) {
    add_lines(hunk, ' ', before, at, changes[i].old_begin);
    add_lines(hunk, '-', before, changes[i].old_begin, changes[i].old_end);
    add_lines(hunk, '+', after, changes[i].new_begin, changes[i].new_end);
    at = changes[i].old_end;
  }
  add_lines(hunk, ' ', before, at, old_stop);
  return hunk;
}

}  // namespace

Lines lines_with_ends(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    const std::size_t size = end == std::string_view::npos ? text.size() : end + 1;
    lines.push_back(text.substr(0, size));
    text.remove_prefix(size);
  }
  return lines;
}

std::vector<LineChange> line_changes(const Lines& before, const Lines& after) {
  const Middle middle = differing_middle(before, after);
  if (middle.old_size == 0 && middle.new_size == 0) return {};
  const LineChange whole{middle.head, middle.head + middle.old_size, middle.head,
                         middle.head + middle.new_size};
  if (middle.old_size == 0 || middle.new_size == 0) return {whole};
  auto found = ShortestScript(before, after, middle).find();
  if (!found) return {whole};
  std::reverse(found->begin(), found->end());
  return *std::move(found);
}

core::Patch patch_between(std::string_view before, std::string_view after) {
  const Lines old_lines = lines_with_ends(before);
  const Lines new_lines = lines_with_ends(after);
  const std::vector<LineChange> changes = line_changes(old_lines, new_lines);
  core::Patch patch;
  for (std::size_t from = 0; from < changes.size();) {
    std::size_t to = from + 1;
    while (to < changes.size() &&
           changes[to].old_begin - changes[to - 1].old_end <= 2 * k_context) {
      ++to;
    }
    patch.push_back(hunk_of(old_lines, new_lines, changes, from, to));
    from = to;
  }
  return patch;
}

}  // namespace yume::tools
