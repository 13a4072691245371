// SPDX-License-Identifier: MIT
// Lines of a stream of bytes for those who read many of them: a line that is whole in what was read
// is not copied. One that is longer than the limit is passed over and reported with its beginning.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace yume {

class LineSplitter {
 public:
  explicit LineSplitter(std::size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  // `on_line(line)` for each line that `bytes` completes, without its end; `on_too_long(beginning,
  // size)` for those that are too long. Views are valid during the call.
  template <class OnLine, class OnTooLong>
  void feed(std::string_view bytes, OnLine on_line, OnTooLong on_too_long);
  // The end of the bytes: what is left is a line, too.
  template <class OnLine, class OnTooLong>
  void finish(OnLine on_line, OnTooLong on_too_long);
  // Whether a line has begun and not ended.
  [[nodiscard]] bool in_line() const { return !rest_.empty() || long_line_ > 0; }

 private:
  static std::string_view without_return(std::string_view line) {
    return line.ends_with('\r') ? line.substr(0, line.size() - 1) : line;
  }
  void keep(std::string_view piece);

  std::size_t max_line_bytes_;
  std::string rest_;           // of a line that has not ended
  std::size_t long_line_ = 0;  // bytes of one that is too long, so far; `rest_` has its beginning
};

template <class OnLine, class OnTooLong>
void LineSplitter::feed(std::string_view bytes, OnLine on_line, OnTooLong on_too_long) {
  for (;;) {
    const std::size_t end = bytes.find('\n');
    if (end == std::string_view::npos) return keep(bytes);
    const std::string_view piece = bytes.substr(0, end);
    if (!in_line() && piece.size() <= max_line_bytes_) {
      on_line(without_return(piece));
    } else {
      keep(piece);
      finish(on_line, on_too_long);
    }
    bytes.remove_prefix(end + 1);
  }
}

template <class OnLine, class OnTooLong>
void LineSplitter::finish(OnLine on_line, OnTooLong on_too_long) {
  if (!in_line()) return;
  if (long_line_ > 0) {
    on_too_long(std::string_view(rest_), long_line_);
  } else {
    on_line(without_return(rest_));
  }
  rest_.clear();
  long_line_ = 0;
}

}  // namespace yume
