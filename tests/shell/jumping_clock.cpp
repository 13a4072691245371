// SPDX-License-Identifier: MIT
// Preloaded: the wall clock jumps by an hour, forth and back, each time it is asked. The monotonic
// clocks are left alone.
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#include <atomic>

namespace {

time_t jump() {
  static std::atomic<unsigned> calls{0};
  return calls++ % 2 == 0 ? 3600 : -3600;
}

}  // namespace

#pragma GCC visibility push(default)

extern "C" int clock_gettime(clockid_t clock, timespec* now) noexcept {
  const auto result = static_cast<int>(::syscall(SYS_clock_gettime, clock, now));
  if (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE) now->tv_sec += jump();
  return result;
}

extern "C" int gettimeofday(timeval* __restrict now, void* __restrict /*zone*/) noexcept {
  timespec precise{};
  const int result = ::clock_gettime(CLOCK_REALTIME, &precise);
  now->tv_sec = precise.tv_sec;
  now->tv_usec = precise.tv_nsec / 1000;
  return result;
}

extern "C" time_t time(time_t* now) noexcept {
  timespec precise{};
  ::clock_gettime(CLOCK_REALTIME, &precise);
  if (now != nullptr) *now = precise.tv_sec;
  return precise.tv_sec;
}

#pragma GCC visibility pop
