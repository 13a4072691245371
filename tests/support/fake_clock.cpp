// SPDX-License-Identifier: MIT
#include "support/fake_clock.h"

namespace yume::test {

platform::SteadyTime FakeClock::steady_now() const {
  const std::lock_guard lock(mutex_);
  return steady_;
}

platform::WallTime FakeClock::wall_now() const {
  const std::lock_guard lock(mutex_);
  return wall_;
}

bool FakeClock::sleep_for(std::chrono::nanoseconds duration, const CancelToken& cancel) const {
  std::unique_lock lock(mutex_);
  sleeps_.push_back(std::chrono::ceil<std::chrono::milliseconds>(duration));
  if (cancel.stop_requested()) return false;
  if (mode_ == SleepMode::skip) {
    steady_ += duration;
    wall_ += std::chrono::duration_cast<platform::WallTime::duration>(duration);
    return true;
  }
  const platform::SteadyTime until = steady_ + duration;
  ++sleepers_;
  changed_.notify_all();
  const bool passed = changed_.wait(lock, cancel, [&] { return steady_ >= until; });
  --sleepers_;
  return passed && !cancel.stop_requested();
}

void FakeClock::advance(std::chrono::milliseconds duration) {
  const std::lock_guard lock(mutex_);
  steady_ += duration;
  wall_ += duration;
  changed_.notify_all();
}

void FakeClock::set_wall(platform::WallTime now) {
  const std::lock_guard lock(mutex_);
  wall_ = now;
}

void FakeClock::wait_for_sleepers(int count) const {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return sleepers_ >= count; });
}

std::vector<std::chrono::milliseconds> FakeClock::sleeps() const {
  const std::lock_guard lock(mutex_);
  return sleeps_;
}

}  // namespace yume::test
