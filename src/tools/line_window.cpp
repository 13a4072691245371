// SPDX-License-Identifier: MIT
#include "tools/line_window.h"

#include "util/utf8.h"

namespace yume::tools {

bool LineWindow::wants_line() const {
  if (cut_ || line_ < spec_.first) return false;
  return !spec_.count || line_ - spec_.first < *spec_.count;
}

bool LineWindow::is_full() const {
  return cut_ || (line_ >= spec_.first && !wants_line());
}

void LineWindow::feed(std::string_view text) {
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (wants_line()) take(text.substr(0, end));
    if (end == std::string_view::npos) return;
    end_line(/*by_newline=*/true);
    ++line_;
    text.remove_prefix(end + 1);
  }
}

void LineWindow::finish() {
  end_line(/*by_newline=*/false);
}

void LineWindow::take(std::string_view piece) {
  current_.append(piece);
  if (used_ + current_.size() <= spec_.max_bytes) return;
  // Later lines must fit whole; the first is better shown in part than not at all.
  if (lines_.empty()) {
    lines_.emplace_back(utf8_prefix(current_, spec_.max_bytes));
    line_cut_ = true;
  }
  current_.clear();
  current_.shrink_to_fit();
  cut_ = true;
}

void LineWindow::end_line(bool by_newline) {
  if (!wants_line()) return;
  if (by_newline && current_.ends_with('\r')) current_.pop_back();
  constexpr std::size_t k_number_and_ends = 8;
  used_ += current_.size() + k_number_and_ends;
  lines_.push_back(std::move(current_));
  current_.clear();
}

}  // namespace yume::tools
