// SPDX-License-Identifier: MIT
// A clock that moves only when told to, or (by default) by exactly what is slept. Remembers every
// sleep. Thread-safe.
#pragma once

#include <chrono>
#include <mutex>
#include <vector>

#include "platform/clock.h"
#include "util/thread.h"

namespace yume::test {

enum class SleepMode {
  skip,  // sleep_for moves the time itself and returns at once
  hold,  // sleep_for blocks until advance() has moved the time far enough, or until cancelled
};

class FakeClock final : public platform::Clock {
 public:
  explicit FakeClock(SleepMode mode = SleepMode::skip) : mode_(mode) {}

  platform::SteadyTime steady_now() const override;
  platform::WallTime wall_now() const override;
  bool sleep_for(std::chrono::nanoseconds duration, const CancelToken& cancel) const override;

  // Moves both clocks.
  void advance(std::chrono::milliseconds duration);
  // Moves only the wall clock, as an administrator or NTP would.
  void set_wall(platform::WallTime now);
  // Blocks until `count` threads are inside sleep_for (SleepMode::hold).
  void wait_for_sleepers(int count) const;
  // Every duration that was asked for, in order, the cancelled ones included.
  std::vector<std::chrono::milliseconds> sleeps() const;

 private:
  SleepMode mode_;
  // sleep_for is const, because for its users a clock has no state.
  mutable std::mutex mutex_;
  mutable Condition changed_;
  mutable platform::SteadyTime steady_{std::chrono::hours(1)};
  mutable platform::WallTime wall_{std::chrono::seconds(1'700'000'000)};
  mutable std::vector<std::chrono::milliseconds> sleeps_;
  mutable int sleepers_ = 0;
};

}  // namespace yume::test
