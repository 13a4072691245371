// SPDX-License-Identifier: MIT
// The one clock of the benchmark. steady_clock is CLOCK_MONOTONIC, the same in every process, so
// times taken by the server, the reader of stdout and the launcher can be subtracted.
#pragma once

#include <chrono>

namespace yume::bench {

using Time = std::chrono::steady_clock::time_point;

inline Time now() {
  return std::chrono::steady_clock::now();
}

inline double milliseconds_between(Time from, Time to) {
  return std::chrono::duration<double, std::milli>(to - from).count();
}

}  // namespace yume::bench
