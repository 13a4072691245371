// SPDX-License-Identifier: MIT
// Server-sent events, incrementally: bytes in, the data of whole events out. Takes LF, CRLF and CR,
// comments, a BOM, several data lines, `data:` without the space, and any split of the bytes.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "util/result.h"

namespace yume::net {

class SseParser {
 public:
  // The view is valid during the call only. False stops the parser.
  using OnEvent = std::function<bool(std::string_view data)>;
  // A line that is no field of an event, such as an error that a server wrote into the stream.
  using OnStray = std::function<void(std::string_view line)>;

  explicit SseParser(OnEvent on_event, OnStray on_stray = {},
                     std::size_t max_event_bytes = 32U << 20U);

  // too_large when one event passes the limit; cancelled when the callback returned false.
  Result<void> feed(std::string_view bytes);
  // How many bytes of data and of stray lines there have been, whole lines or not: what is neither
  // a comment nor another field, and so is part of an answer.
  [[nodiscard]] std::size_t content_bytes() const;
  // End of input: an event without its final blank line still counts.
  Result<void> finish();

 private:
  Result<void> line(std::string_view text);
  Result<void> dispatch();

  OnEvent on_event_;
  OnStray on_stray_;
  std::size_t max_event_bytes_;
  std::string partial_line_;  // unfinished line from earlier feeds
  std::string data_;          // data lines of the event so far
  std::size_t content_bytes_ = 0;
  bool has_data_ = false;
  bool at_start_ = true;  // a BOM may come
  bool skip_lf_ = false;  // the last byte was a CR
};

}  // namespace yume::net
