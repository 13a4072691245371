// SPDX-License-Identifier: MIT
// An event sink with memory: every event as text, and every flush, in order. Thread-safe.
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "core/event.h"
#include "support/event_text.h"

namespace yume::test {

class RecordingSink final : public core::EventSink {
 public:
  // After `capacity` events the host is gone.
  explicit RecordingSink(std::size_t capacity = std::numeric_limits<std::size_t>::max())
      : capacity_(capacity) {}

  bool post(core::Event event) override {
    {
      const std::lock_guard lock(mutex_);
      if (events_.size() >= capacity_) return false;
      events_.push_back(text_of(event));
    }
    if (on_post_) on_post_(event);
    return true;
  }
  bool flush(const CancelToken& /*cancel*/) override {
    const std::lock_guard lock(mutex_);
    events_.emplace_back("flush");
    return events_.size() < capacity_;
  }

  // Runs on the posting thread after the event has been recorded.
  void on_post(std::function<void(const core::Event&)> what) { on_post_ = std::move(what); }

  std::vector<std::string> events() const {
    const std::lock_guard lock(mutex_);
    return events_;
  }

 private:
  std::size_t capacity_;
  std::function<void(const core::Event&)> on_post_;
  mutable std::mutex mutex_;
  std::vector<std::string> events_;
};

}  // namespace yume::test
