// SPDX-License-Identifier: MIT
// Cuts a stream of bytes into lines. A line over the limit is dropped up to its end and reported
// once, so memory stays bounded whatever a host sends.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace yume::protocol {

class LineFramer {
 public:
  using OnLine = std::function<void(std::string_view line)>;  // without its line end
  using OnTooLong = std::function<void()>;

  LineFramer(std::size_t max_line_bytes, OnLine on_line, OnTooLong on_too_long);

  void feed(std::string_view bytes);
  void finish();  // end of input: an unfinished line counts

 private:
  void take(std::string_view piece);

  std::size_t max_line_bytes_;
  OnLine on_line_;
  OnTooLong on_too_long_;
  std::string line_;
  bool skipping_ = false;
};

}  // namespace yume::protocol
