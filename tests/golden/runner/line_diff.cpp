// SPDX-License-Identifier: MIT
#include "golden/runner/line_diff.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace yume::golden {
namespace {

using Lines = std::vector<std::string_view>;

constexpr std::size_t k_context = 3;
constexpr std::size_t k_longest_shown = 1000;
constexpr std::size_t k_longest_prefix = 160;
constexpr std::size_t k_largest_table = 16'000'000;
constexpr std::size_t k_most_lines_shown = 200;

struct Edit {
  char sign;  // ' ', '-' or '+'
  std::string_view line;
  std::size_t expected_at;  // line numbers from 1, of this or the next line
  std::size_t actual_at;
};

Lines split(std::string_view text) {
  Lines lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    lines.push_back(text.substr(0, end));
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return lines;
}

// Longest common subsequence by the plain table; inputs too big for it count as wholly different.
class Differ {
 public:
  Differ(const Lines& expected, const Lines& actual) : expected_(expected), actual_(actual) {}

  std::vector<Edit> edits() {
    const std::size_t shorter = std::min(expected_.size(), actual_.size());
    std::size_t head = 0;
    while (head < shorter && expected_[head] == actual_[head]) ++head;
    std::size_t tail = 0;
    while (tail < shorter - head &&
           expected_[expected_.size() - 1 - tail] == actual_[actual_.size() - 1 - tail]) {
      ++tail;
    }
    for (std::size_t i = 0; i < head; ++i) keep();
    change(expected_.size() - tail, actual_.size() - tail);
    for (std::size_t i = 0; i < tail; ++i) keep();
    return std::move(edits_);
  }

 private:
  void keep() {
    edits_.push_back({' ', expected_[i_], i_ + 1, j_ + 1});
    ++i_;
    ++j_;
  }
  void remove() {
    edits_.push_back({'-', expected_[i_], i_ + 1, j_ + 1});
    ++i_;
  }
  void add() {
    edits_.push_back({'+', actual_[j_], i_ + 1, j_ + 1});
    ++j_;
  }

  void change(std::size_t i_end, std::size_t j_end) {
    const std::size_t i_begin = i_;
    const std::size_t j_begin = j_;
    const std::size_t width = j_end - j_begin + 1;
    const std::size_t height = i_end - i_begin + 1;
    if (height < k_largest_table / width) {
      std::vector<std::uint32_t> common(width * height, 0);
      const auto cell = [&](std::size_t i, std::size_t j) -> std::uint32_t& {
        return common[(i - i_begin) * width + (j - j_begin)];
      };
      for (std::size_t i = i_end; i-- > i_begin;) {
        for (std::size_t j = j_end; j-- > j_begin;) {
          cell(i, j) = expected_[i] == actual_[j] ? cell(i + 1, j + 1) + 1
                                                  : std::max(cell(i + 1, j), cell(i, j + 1));
        }
      }
      while (i_ < i_end && j_ < j_end) {
        if (expected_[i_] == actual_[j_]) {
          keep();
        } else if (cell(i_ + 1, j_) >= cell(i_, j_ + 1)) {
          remove();
        } else {
          add();
        }
      }
    }
    while (i_ < i_end) remove();
    while (j_ < j_end) add();
  }

  const Lines& expected_;
  const Lines& actual_;
  std::size_t i_ = 0;
  std::size_t j_ = 0;
  std::vector<Edit> edits_;
};

// `twin` is the line this one replaces or is replaced by; empty when there is none.
std::string shown(std::string_view line, std::string_view twin) {
  std::string out;
  std::size_t same = 0;
  while (same < line.size() && same < twin.size() && line[same] == twin[same]) ++same;
  if (same > k_longest_prefix) {
    const std::size_t left_out = same - k_longest_prefix / 2;
    out = "[" + std::to_string(left_out) + " equal bytes]...";
    line.remove_prefix(left_out);
  }
  out += line.substr(0, k_longest_shown);
  if (line.size() > k_longest_shown) {
    out += "...[" + std::to_string(line.size() - k_longest_shown) + " more bytes]";
  }
  return out;
}

// The n-th removed line of a block is the twin of its n-th added line.
std::string_view twin_of(const std::vector<Edit>& edits, std::size_t index) {
  std::size_t begin = index;
  while (begin > 0 && edits[begin - 1].sign != ' ') --begin;
  std::vector<std::size_t> mine;
  std::vector<std::size_t> others;
  for (std::size_t i = begin; i < edits.size() && edits[i].sign != ' '; ++i) {
    (edits[i].sign == edits[index].sign ? mine : others).push_back(i);
  }
  const auto place = std::find(mine.begin(), mine.end(), index) - mine.begin();
  return static_cast<std::size_t>(place) < others.size()
             ? edits[others[static_cast<std::size_t>(place)]].line
             : std::string_view{};
}

bool near_change(const std::vector<Edit>& edits, std::size_t index) {
  const std::size_t begin = index < k_context ? 0 : index - k_context;
  const std::size_t end = std::min(edits.size(), index + k_context + 1);
  for (std::size_t i = begin; i < end; ++i) {
    if (edits[i].sign != ' ') return true;
  }
  return false;
}

}  // namespace

std::string line_diff(std::string_view expected, std::string_view actual) {
  if (expected == actual) return {};
  const Lines expected_lines = split(expected);
  const Lines actual_lines = split(actual);
  const std::vector<Edit> edits = Differ(expected_lines, actual_lines).edits();
  std::string out;
  bool in_hunk = false;
  std::size_t lines_shown = 0;
  for (std::size_t i = 0; i < edits.size(); ++i) {
    const bool show = near_change(edits, i);
    if (show && lines_shown == k_most_lines_shown) {
      out += "... (more differences)\n";
      return out;
    }
    if (show && !in_hunk) {
      out += "@@ -" + std::to_string(edits[i].expected_at) + " +" +
             std::to_string(edits[i].actual_at) + " @@\n";
    }
    in_hunk = show;
    if (!show) continue;
    ++lines_shown;
    out += edits[i].sign;
    out += shown(edits[i].line, edits[i].sign == ' ' ? std::string_view{} : twin_of(edits, i));
    out += '\n';
  }
  if (expected.ends_with('\n') != actual.ends_with('\n') && !expected.empty() && !actual.empty()) {
    out += actual.ends_with('\n') ? "(expected has no newline at the end)\n"
                                  : "(actual has no newline at the end)\n";
  }
  return out;
}

}  // namespace yume::golden
