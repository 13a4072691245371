// SPDX-License-Identifier: MIT
// The one place that decides whether a failed request is sent again, and when. Pure.
#pragma once

#include <chrono>
#include <functional>
#include <optional>

#include "gemini/api_error.h"

namespace yume::agent {

class RetryPolicy {
 public:
  // `random` gives numbers in [0, 1).
  RetryPolicy(int max_retries, std::function<double()> random);

  // Another model can be asked instead: a server that is too busy is not asked for long.
  void set_fallback(bool there) { has_fallback_ = there; }

  [[nodiscard]] int max_retries() const { return max_retries_; }
  // The wait before retry number `attempt` (from 1); nullopt: give up. A delay named by the server
  // is kept as it is; ours doubles from 500 ms to 60 s with up to a quarter of jitter.
  [[nodiscard]] std::optional<std::chrono::milliseconds> delay_before(
      int attempt, const gemini::ApiError& failure) const;
  // The wait before the one repeat of a reply that broke or could not be read; nullopt: give up.
  [[nodiscard]] std::optional<std::chrono::milliseconds> delay_of_repeat(
      const gemini::ApiError& failure) const;

 private:
  [[nodiscard]] std::chrono::milliseconds delay(int attempt, const gemini::ApiError& failure) const;

  int max_retries_;
  std::function<double()> random_;
  bool has_fallback_ = false;
};

// The model has too much to do, or the account may not ask it more: another one may answer.
bool is_overload(const gemini::ApiError& failure);

}  // namespace yume::agent
