// SPDX-License-Identifier: MIT
#include "agent/retry_policy.h"

#include <algorithm>
#include <utility>

namespace yume::agent {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds k_first{500};
constexpr milliseconds k_longest{60'000};
constexpr int k_overload_retries = 2;  // before another model is asked

}  // namespace

RetryPolicy::RetryPolicy(int max_retries, std::function<double()> random)
    : max_retries_(max_retries), random_(std::move(random)) {}

std::optional<milliseconds> RetryPolicy::delay_before(int attempt,
                                                      const gemini::ApiError& failure) const {
  if (!failure.retryable || attempt > max_retries_) return std::nullopt;
  if (has_fallback_ && attempt > k_overload_retries && is_overload(failure)) return std::nullopt;
  return delay(attempt, failure);
}

std::optional<milliseconds> RetryPolicy::delay_of_repeat(const gemini::ApiError& failure) const {
  if (!failure.retryable) return std::nullopt;
  return delay(1, failure);
}

milliseconds RetryPolicy::delay(int attempt, const gemini::ApiError& failure) const {
  if (failure.error.retry_after) return *failure.error.retry_after;
  const int doublings = std::min(attempt - 1, 10);
  const milliseconds base = std::min(k_first * (1 << doublings), k_longest);
  const double jitter = static_cast<double>(base.count()) * 0.25 * random_();
  return base + milliseconds(static_cast<long long>(jitter));
}

bool is_overload(const gemini::ApiError& failure) {
  constexpr int k_unavailable = 503;
  constexpr int k_overloaded = 529;
  const int status = failure.error.http_status;
  return failure.kind == core::FailureKind::rate_limit || status == k_unavailable ||
         status == k_overloaded;
}

}  // namespace yume::agent
