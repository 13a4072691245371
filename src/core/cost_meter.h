// SPDX-License-Identifier: MIT
// What a session and all its subagents have spent, so that a budget holds for them together.
// Thread-safe.
#pragma once

#include <atomic>

namespace yume::core {

class CostMeter {
 public:
  void add(double usd) { total_.fetch_add(usd, std::memory_order_relaxed); }
  [[nodiscard]] double total() const { return total_.load(std::memory_order_relaxed); }

 private:
  std::atomic<double> total_ = 0;
};

}  // namespace yume::core
