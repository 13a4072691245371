// SPDX-License-Identifier: MIT
#include "platform/clock.h"
#include "util/thread.h"

#include <algorithm>
#include <mutex>

namespace yume::platform {

namespace {

// Longer sleeps would overflow the nanoseconds of steady_clock.
constexpr std::chrono::nanoseconds k_longest_sleep = std::chrono::hours(24 * 365);

}  // namespace

SteadyTime SystemClock::steady_now() const {
  return std::chrono::steady_clock::now();
}

WallTime SystemClock::wall_now() const {
  return std::chrono::system_clock::now();
}

bool SystemClock::sleep_for(std::chrono::nanoseconds duration, const CancelToken& cancel) const {
  if (cancel.stop_requested()) return false;
  const SteadyTime deadline = steady_now() + std::min(duration, k_longest_sleep);
  std::mutex mutex;
  Condition wake;
  std::unique_lock lock(mutex);
  // The predicate never holds, so only the deadline or the token (which notifies) ends the wait.
  wake.wait_until(lock, cancel, deadline, [] { return false; });
  return !cancel.stop_requested();
}

}  // namespace yume::platform
