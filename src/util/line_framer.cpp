// SPDX-License-Identifier: MIT
#include "util/line_framer.h"

#include <algorithm>
#include <utility>

namespace yume {

LineFramer::LineFramer(const Limits& limits, OnLine on_line, OnTooLong on_too_long)
    : limits_(limits), on_line_(std::move(on_line)), on_too_long_(std::move(on_too_long)) {}

// A text that doubles is there twice while it grows; room that nobody uses costs nothing.
void LineFramer::make_room(std::size_t needed) {
  constexpr std::size_t k_small = std::size_t{1} << 20U;
  constexpr std::size_t k_at_once = std::size_t{16} << 20U;
  if (needed <= k_small || needed <= line_.capacity()) return;
  line_.reserve(std::max(2 * line_.capacity(), std::min(limits_.max_line_bytes, k_at_once)));
}

void LineFramer::take(std::string_view piece) {
  if (!long_line_ && line_.size() + piece.size() <= limits_.max_line_bytes) {
    make_room(line_.size() + piece.size());
    line_.append(piece);
    return;
  }
  if (!long_line_) {
    long_line_.emplace(LongLine{.bytes = 0, .outline = JsonOutline(limits_.outline)});
    const std::string kept = std::exchange(line_, {});  // and its memory, from here on
    pass_over(kept);
  }
  pass_over(piece);
}

void LineFramer::pass_over(std::string_view piece) {
  long_line_->bytes += piece.size();
  long_line_->outline.feed(piece);
}

void LineFramer::feed(std::string_view bytes) {
  for (;;) {
    const std::size_t end = bytes.find('\n');
    take(bytes.substr(0, end));
    if (end == std::string_view::npos) return;
    finish();
    bytes.remove_prefix(end + 1);
  }
}

void LineFramer::finish() {
  const auto too_long = std::exchange(long_line_, std::nullopt);
  if (too_long) {
    on_too_long_(*too_long);
    return;
  }
  std::string line = std::exchange(line_, {});
  if (line.empty()) return;
  if (line.back() == '\r') line.pop_back();
  on_line_(line);
}

}  // namespace yume
