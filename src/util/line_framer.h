// SPDX-License-Identifier: MIT
// Cuts a stream of bytes into lines. A line over the limit is counted up to its end, not kept, and
// reported once with its outline, so memory stays bounded whatever comes.
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "util/json_outline.h"

namespace yume {

struct LongLine {
  std::size_t bytes = 0;  // without its line end
  JsonOutline outline;
};

class LineFramer {
 public:
  using OnLine = std::function<void(std::string_view line)>;  // without its line end
  using OnTooLong = std::function<void(const LongLine& line)>;

  struct Limits {
    std::size_t max_line_bytes;
    std::span<const OutlineMember> outline;  // what is kept of a longer one; a constant
  };

  LineFramer(const Limits& limits, OnLine on_line, OnTooLong on_too_long);

  void feed(std::string_view bytes);
  void finish();  // end of input: an unfinished line counts

 private:
  void make_room(std::size_t needed);
  void take(std::string_view piece);
  void pass_over(std::string_view piece);

  Limits limits_;
  OnLine on_line_;
  OnTooLong on_too_long_;
  std::string line_;
  std::optional<LongLine> long_line_;  // that is being passed over
};

}  // namespace yume
