// SPDX-License-Identifier: MIT
// Text as it flows onto lines: runs of white space become one blank, breaks between blocks at most
// one empty line, and every line begins with what its lists and quotes put before it. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume::tools::web {

class TextFlow {
 public:
  // Text with its white space collapsed.
  void words(std::string_view text);
  // Text as it is, line by line.
  void lines(std::string_view text);
  // Something that belongs to the text but has no white space of its own: "`", "](url)".
  void mark(std::string_view text);
  // The same in front of what follows.
  void mark_next(std::string_view text);

  // What follows begins on a new line, or after an empty one.
  void new_line() { want_breaks(1); }
  void new_paragraph() { want_breaks(2); }
  // A line break that a page asked for.
  void hard_break();

  // Inside a table's cell everything stays on its row, and a bar does not end the cell.
  void begin_row_mode() { ++row_mode_; }
  void end_row_mode() { --row_mode_; }
  [[nodiscard]] bool in_row() const { return row_mode_ > 0; }

  // From here to the matching pop() every line begins with `prefix`, the first with `first`.
  void push(std::string_view prefix, std::string_view first);
  void pop();

  // Goes to where the next character will be.
  void settle();

  // A stretch of text that something is put around when it has ended: a link, bold. It begins with
  // the first text that is written from here on, behind the breaks and prefixes before that.
  void open_span() { spans_.push_back(k_not_begun); }
  // Where the last one that is open began; nothing when it has no text.
  std::optional<std::size_t> close_span();
  [[nodiscard]] std::string_view since(std::size_t place) const;
  // Puts `text` there, before what was written since.
  void insert(std::size_t place, std::string_view text) { out_.insert(place, text); }

  [[nodiscard]] std::size_t size() const { return out_.size(); }
  std::string take();

 private:
  static constexpr std::size_t k_not_begun = static_cast<std::size_t>(-1);

  void begin_spans();
  void want_breaks(int count);
  void begin_line();
  void write(std::string_view text);

  std::string out_;
  std::vector<std::string> prefixes_;
  std::string marker_;  // stands in for the last prefix on the next line
  bool marked_ = false;
  int breaks_ = 0;
  bool space_ = false;
  bool line_empty_ = true;
  int row_mode_ = 0;
  std::vector<std::size_t> spans_;  // that are open: where each began
};

}  // namespace yume::tools::web
