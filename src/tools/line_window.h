// SPDX-License-Identifier: MIT
// Some lines out of a text that comes in pieces and may be of any size: only what is shown is kept.
// Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume::tools {

struct WindowSpec {
  std::int64_t first = 1;             // line to begin with, counted from 1
  std::optional<std::int64_t> count;  // nullopt: to the end
  std::size_t max_bytes = 0;          // of the lines as shown, with their numbers
};

class LineWindow {
 public:
  explicit LineWindow(const WindowSpec& spec) : spec_(spec) {}

  void feed(std::string_view text);
  void finish();  // no more text will come

  // Nothing that may still come would be shown.
  [[nodiscard]] bool is_full() const;

  // Without their ends; CRLF counts as one end. The empty rest after a final end is a line, as
  // Claude counts it.
  [[nodiscard]] const std::vector<std::string>& lines() const { return lines_; }
  // Lines seen so far; after finish() all there are.
  [[nodiscard]] std::int64_t seen() const { return line_; }
  // max_bytes was reached; lines() ends before it.
  [[nodiscard]] bool is_cut() const { return cut_; }
  // The only line shown is longer than max_bytes and shown in part.
  [[nodiscard]] bool is_line_cut() const { return line_cut_; }

 private:
  [[nodiscard]] bool wants_line() const;
  void take(std::string_view piece);
  void end_line(bool by_newline);

  WindowSpec spec_;
  std::int64_t line_ = 1;  // the one that is being read
  std::string current_;
  std::size_t used_ = 0;
  std::vector<std::string> lines_;
  bool cut_ = false;
  bool line_cut_ = false;
};

}  // namespace yume::tools
