// SPDX-License-Identifier: MIT
// A cancel token that fires when a time is over, or when another one does.
#pragma once

#include <atomic>
#include <chrono>

#include "platform/clock.h"
#include "util/cancel.h"
#include "util/thread.h"

namespace yume::app::doctor {

class TimeLimit {
 public:
  TimeLimit(const platform::Clock& clock, std::chrono::milliseconds limit, const CancelToken& outer)
      : forward_(outer, [this] { source_.request_stop(); }),
        timer_([this, &clock, limit](const CancelToken& over) {
          if (!clock.sleep_for(limit, over)) return;
          expired_ = true;
          source_.request_stop();
        }) {}

  [[nodiscard]] CancelToken token() const { return source_.get_token(); }
  [[nodiscard]] bool expired() const { return expired_; }

 private:
  CancelSource source_;
  std::atomic<bool> expired_{false};
  OnCancel forward_;
  Thread timer_;  // last: it ends before what it uses
};

}  // namespace yume::app::doctor
