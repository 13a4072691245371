// SPDX-License-Identifier: MIT
// Time as a seam. Deadlines use the steady clock, dates the wall clock; nothing else in the program
// asks the system for the time. Thread-safe.
#pragma once

#include <chrono>

#include "util/cancel.h"

namespace yume::platform {

using SteadyTime = std::chrono::steady_clock::time_point;
using WallTime = std::chrono::system_clock::time_point;

class Clock {
 public:
  virtual ~Clock() = default;
  virtual SteadyTime steady_now() const = 0;
  virtual WallTime wall_now() const = 0;
  // Blocks for `duration` or until cancelled. True when the whole time has passed.
  virtual bool sleep_for(std::chrono::nanoseconds duration, const CancelToken& cancel) const = 0;
};

class SystemClock final : public Clock {
 public:
  SteadyTime steady_now() const override;
  WallTime wall_now() const override;
  bool sleep_for(std::chrono::nanoseconds duration, const CancelToken& cancel) const override;
};

}  // namespace yume::platform
