// SPDX-License-Identifier: MIT
#include "protocol/line_framer.h"

#include <utility>

namespace yume::protocol {

LineFramer::LineFramer(std::size_t max_line_bytes, OnLine on_line, OnTooLong on_too_long)
    : max_line_bytes_(max_line_bytes),
      on_line_(std::move(on_line)),
      on_too_long_(std::move(on_too_long)) {}

void LineFramer::take(std::string_view piece) {
  if (skipping_) return;
  if (line_.size() + piece.size() <= max_line_bytes_) {
    line_.append(piece);
    return;
  }
  skipping_ = true;
  line_.clear();
  line_.shrink_to_fit();
  on_too_long_();
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
  const bool dropped = std::exchange(skipping_, false);
  std::string line = std::exchange(line_, {});
  if (dropped || line.empty()) return;
  if (line.back() == '\r') line.pop_back();
  on_line_(line);
}

}  // namespace yume::protocol
