// SPDX-License-Identifier: MIT
// When the window is shown a text that still grows. Each time is a line with the whole text, so the
// lines are kept apart, and what they may cost altogether is bounded. Decides only; what is written
// and how is its host's business. Main thread.
#pragma once

#include <chrono>
#include <cstddef>
#include <optional>

#include "platform/clock.h"

namespace yume::protocol {

class LiveText {
 public:
  // What the lines of one text may have beyond a multiple of its length: enough to follow an
  // ordinary answer closely. Longer ones are shown ever less often.
  static constexpr std::size_t k_free_bytes = 128U << 10U;
  static constexpr std::size_t k_most_per_byte = 8;

  // `gap`: the least time between two lines of one text.
  explicit LiveText(std::chrono::milliseconds gap) : gap_(gap) {}

  // The text has this many bytes now.
  void grow_to(std::size_t bytes) { bytes_ = bytes; }
  void written(platform::SteadyTime now);
  // There is no such text any more, or it is another one.
  void forget() { *this = LiveText(gap_); }

  // From when on a line may be written; nullopt: before that the text has to grow.
  [[nodiscard]] std::optional<platform::SteadyTime> due_at() const;

 private:
  std::chrono::milliseconds gap_;
  std::size_t bytes_ = 0;
  std::size_t shown_ = 0;  // of these, in the last line
  std::size_t spent_ = 0;  // in all lines
  std::optional<platform::SteadyTime> last_;
};

}  // namespace yume::protocol
