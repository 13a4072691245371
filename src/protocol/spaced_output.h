// SPDX-License-Identifier: MIT
// Keeps lines apart for a host that names what it shows by the millisecond. Main thread only.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

#include "platform/clock.h"
#include "protocol/line_writer.h"

namespace yume::protocol {

class SpacedOutput final : public Output {
 public:
  // All outlive this.
  SpacedOutput(Output& output, const platform::Clock& clock, std::chrono::milliseconds gap)
      : output_(output), clock_(clock), gap_(gap) {}

  void line(std::string_view text) override {
    const platform::SteadyTime now = clock_.steady_now();
    if (last_ && now < *last_ + gap_) clock_.sleep_for(*last_ + gap_ - now, {});
    output_.line(text);
    last_ = clock_.steady_now();
  }
  void bytes(std::string_view text) override { output_.bytes(text); }

 private:
  Output& output_;
  const platform::Clock& clock_;
  std::chrono::milliseconds gap_;
  std::optional<platform::SteadyTime> last_;
};

}  // namespace yume::protocol
