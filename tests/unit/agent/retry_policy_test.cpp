// SPDX-License-Identifier: MIT
#include "agent/retry_policy.h"

#include <gtest/gtest.h>

#include <chrono>
#include <optional>
#include <vector>

namespace yume::agent {
namespace {

using std::chrono::milliseconds;

gemini::ApiError failure(bool retryable, std::optional<milliseconds> after = {}) {
  gemini::ApiError problem;
  problem.retryable = retryable;
  problem.error.retry_after = after;
  return problem;
}

std::vector<long> delays(double random, int count) {
  const RetryPolicy policy(count, [random] { return random; });
  std::vector<long> all;
  for (int attempt = 1; attempt <= count; ++attempt) {
    all.push_back(policy.delay_before(attempt, failure(true)).value().count());
  }
  return all;
}

TEST(RetryPolicy, DoublesFromHalfASecondToAMinute) {
  EXPECT_EQ(delays(0, 10),
            (std::vector<long>{500, 1000, 2000, 4000, 8000, 16000, 32000, 60000, 60000, 60000}));
}

TEST(RetryPolicy, AddsUpToAQuarterOfJitter) {
  EXPECT_EQ(delays(1, 3), (std::vector<long>{625, 1250, 2500}));
  EXPECT_EQ(delays(0.5, 8).back(), 67'500);
}

TEST(RetryPolicy, StaysFiniteAfterManyAttempts) {
  const RetryPolicy policy(1000, [] { return 0.0; });
  EXPECT_EQ(policy.delay_before(1000, failure(true)), milliseconds(60'000));
}

TEST(RetryPolicy, KeepsTheServersDelayAsItIs) {
  const RetryPolicy policy(5, [] { return 1.0; });
  EXPECT_EQ(policy.delay_before(4, failure(true, milliseconds(34'400))), milliseconds(34'400));
  EXPECT_EQ(policy.delay_before(1, failure(true, milliseconds(0))), milliseconds(0));
}

TEST(RetryPolicy, GivesUpAfterTheLastAttemptOrWhenItIsPointless) {
  const RetryPolicy policy(2, [] { return 0.0; });
  EXPECT_TRUE(policy.delay_before(2, failure(true)).has_value());
  EXPECT_EQ(policy.delay_before(3, failure(true)), std::nullopt);
  EXPECT_EQ(policy.delay_before(3, failure(true, milliseconds(1))), std::nullopt);
  EXPECT_EQ(policy.delay_before(1, failure(false, milliseconds(1))), std::nullopt);
  EXPECT_EQ(RetryPolicy(0, [] { return 0.0; }).delay_before(1, failure(true)), std::nullopt);
}

}  // namespace
}  // namespace yume::agent
