// SPDX-License-Identifier: MIT
#include "protocol/yume_app/live_text.h"

namespace yume::protocol {

void LiveText::written(platform::SteadyTime now) {
  shown_ = bytes_;
  spent_ += bytes_;
  last_ = now;
}

std::optional<platform::SteadyTime> LiveText::due_at() const {
  const bool affordable = spent_ + bytes_ <= k_free_bytes + k_most_per_byte * bytes_;
  if (bytes_ <= shown_ || !affordable) return std::nullopt;
  return last_ ? *last_ + gap_ : platform::SteadyTime::min();
}

}  // namespace yume::protocol
