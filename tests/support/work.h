// SPDX-License-Identifier: MIT
// How much work something is, in a unit that is the same on any machine, busy or idle: what it
// costs to look at one byte of a text. For claims like "linear": compare with the sizes that went
// in.
#pragma once

#include <ctime>

#include <algorithm>
#include <cstddef>
#include <string>

namespace yume::test {

// Seconds of the processor that this thread spent on it; time it had to wait does not count.
template <class Work>
double processor_seconds(Work work) {
  const auto now = [] {
    timespec time{};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
  };
  const double before = now();
  work();
  return now() - before;
}

template <class Work>
double work_in_bytes(Work work) {
  const std::string text(std::size_t{1} << 20U, 'a');
  double cost = 1;
  for (int i = 0; i < 3; ++i) {
    volatile char seen = 0;  // one byte after the other, whatever the compiler could do better
    const double took = processor_seconds([&] {
      for (const char c : text) seen = c;
    });
    cost = std::min(cost, took / static_cast<double>(text.size()));
  }
  return processor_seconds(work) / cost;
}

}  // namespace yume::test
