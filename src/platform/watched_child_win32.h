// SPDX-License-Identifier: MIT
// A child in its job (child_win32.h) and the thread that keeps its time, so that it is kept while
// nobody waits. What runs commands and what talks to them share it. Private to src/platform.
#pragma once

#include <chrono>
#include <optional>
#include <thread>

#include "platform/child_win32.h"
#include "platform/clock.h"
#include "platform/handle_win32.h"
#include "platform/process.h"

namespace yume::platform {

class WatchedChild {
 public:
  explicit WatchedChild(Child child);
  WatchedChild(const WatchedChild&) = delete;
  WatchedChild& operator=(const WatchedChild&) = delete;
  // Kills what is left, and waits for that.
  ~WatchedChild();

  // False when the system has no thread or no event left.
  bool begin(std::optional<std::chrono::milliseconds> timeout);

  // Any thread, never blocks.
  void stop() const;

  // Raised when no process of the job is left; only then is there an end.
  const Handle& gone() const { return gone_; }
  const ProcessEnd& end() const { return end_; }

 private:
  void watch(std::optional<SteadyTime> deadline);
  ProcessEnd wait_for_command(std::optional<SteadyTime> deadline) const;
  ProcessEnd exited() const;
  void linger() const;
  void destroy() const;

  Child child_;
  Handle stop_;
  Handle gone_;
  ProcessEnd end_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace yume::platform
