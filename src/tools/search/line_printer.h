// SPDX-License-Identifier: MIT
// Grep's content lines of one file: `path:12:text` for a match, `path-11-text` around it, `--`
// between groups. Keeps only as many as will be shown, but counts all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <list>
#include <string>
#include <string_view>
#include <vector>

namespace yume::tools::search {

inline constexpr std::size_t k_longest_shown_line = 500;

struct LineStyle {
  std::size_t before = 0;
  std::size_t after = 0;
  bool numbers = true;
  bool only_matching = false;
  std::size_t most_lines = 1000;  // kept; the others are only counted
};

class LinePrinter {
 public:
  LinePrinter(LineStyle style, std::string path)  // an empty path is not shown
      : style_(style), path_(std::move(path)) {}

  // Every line in order, whole or not interesting: `skip` takes several lines at once. `line` has
  // no newline. `match_at` is where the first match begins in it.
  void matching(std::string_view line, std::size_t match_at);
  void matching_part(std::string_view part);  // with only_matching, before the line's matching()
  void other(std::string_view line);
  void skip(std::string_view lines);  // with its newlines

  [[nodiscard]] std::size_t line_count() const { return count_; }
  [[nodiscard]] std::vector<std::string> take_lines() { return std::move(lines_); }
  // Whether a line that does not match still has to be told.
  [[nodiscard]] bool wants_context() const { return style_.before + style_.after > 0; }
  [[nodiscard]] std::size_t lines_before() const { return style_.before; }
  [[nodiscard]] std::size_t owed_after() const { return owed_after_; }
  [[nodiscard]] bool only_matching() const { return style_.only_matching; }

 private:
  struct Earlier {
    std::string line;
    std::uint64_t number = 0;
  };

  bool keeps(std::uint64_t number);  // counts the line, and says whether it will be shown
  void print(std::uint64_t number, char separator, std::string_view text);
  void separate_from_last_group(std::uint64_t number);

  LineStyle style_;
  std::string path_;
  std::vector<std::string> lines_;
  std::size_t count_ = 0;
  std::uint64_t number_ = 1;        // of the next line
  std::uint64_t last_printed_ = 0;  // 0: none yet
  std::size_t owed_after_ = 0;
  std::list<Earlier> earlier_;
};

// At most k_longest_shown_line bytes around `match_at`, whole characters, with a note of the cut.
std::string shown_line(std::string_view line, std::size_t match_at);

}  // namespace yume::tools::search
