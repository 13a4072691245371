// SPDX-License-Identifier: MIT
#include "agent/context_gauge.h"

#include <gtest/gtest.h>

namespace yume::agent {
namespace {

core::Usage counted(std::int64_t tokens) {
  core::Usage usage;
  usage.prompt_tokens = tokens;
  return usage;
}

TEST(ContextGauge, EstimatesUntilSomethingIsCounted) {
  ContextGauge gauge;
  EXPECT_EQ(gauge.tokens(1000), 1000);
  gauge.measured(counted(0), 1000);
  core::Usage guess = counted(500);
  guess.estimated = true;
  gauge.measured(guess, 1000);
  EXPECT_EQ(gauge.tokens(1000), 1000);
}

TEST(ContextGauge, TakesTheCountAndEstimatesOnlyWhatCameSince) {
  ContextGauge gauge;
  gauge.measured(counted(700), 1000);
  EXPECT_EQ(gauge.tokens(1000), 700);
  EXPECT_EQ(gauge.tokens(1300), 1000);
  EXPECT_EQ(gauge.tokens(100), 0);
  gauge.measured(counted(2600), 1300);
  EXPECT_EQ(gauge.tokens(1300), 2600);
  gauge.forget();
  EXPECT_EQ(gauge.tokens(1300), 1300);
}

}  // namespace
}  // namespace yume::agent
