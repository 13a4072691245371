// SPDX-License-Identifier: MIT
// What makes each line of a dialect its own: an id that no other line has, and the time. Made for
// streams of millions of lines, where a uuid from the system for each would be most of the work.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "platform/clock.h"

namespace yume::protocol {

// Random once per stream, counted from there on: no other process has them either.
class LineIds {
 public:
  explicit LineIds(std::string_view kind);
  // "evt_9f…-1"; valid until the next call.
  std::string_view next();

 private:
  std::string text_;
  std::size_t prefix_ = 0;
  std::uint64_t count_ = 0;
};

// The wall clock as ISO 8601 with milliseconds; formats only what has changed since.
class TimeTexts {
 public:
  explicit TimeTexts(const platform::Clock& clock) : clock_(clock) {}
  // Valid until the next call.
  std::string_view now();

 private:
  const platform::Clock& clock_;
  std::chrono::sys_seconds second_{};
  std::string text_;
};

}  // namespace yume::protocol
