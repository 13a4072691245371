// SPDX-License-Identifier: MIT
// The contract of platform::Clock, on the system's clock and on the fake.
#include "platform/clock.h"

#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "support/fake_clock.h"

namespace yume {
namespace {

using namespace std::chrono_literals;
using platform::Clock;
using test::FakeClock;
using test::SleepMode;

struct ClockKind {
  std::string name;
  std::function<std::unique_ptr<Clock>()> passing;  // sleeps end by themselves
  std::function<std::unique_ptr<Clock>()> holding;  // a long sleep ends only when cancelled
};

class ClockContract : public ::testing::TestWithParam<ClockKind> {};

TEST_P(ClockContract, SteadyTimeNeverGoesBack) {
  const auto clock = GetParam().passing();
  const auto first = clock->steady_now();
  EXPECT_LE(first, clock->steady_now());
}

TEST_P(ClockContract, SleepsTheWholeTime) {
  const auto clock = GetParam().passing();
  const auto before = clock->steady_now();
  EXPECT_TRUE(clock->sleep_for(5ms, CancelToken()));
  EXPECT_GE(clock->steady_now() - before, 5ms);
}

TEST_P(ClockContract, ZeroOrLessIsNoSleep) {
  const auto clock = GetParam().passing();
  EXPECT_TRUE(clock->sleep_for(0ms, CancelToken()));
}

TEST_P(ClockContract, DoesNotSleepWhenAlreadyCancelled) {
  const auto clock = GetParam().passing();
  CancelSource source;
  source.request_stop();
  const auto before = clock->steady_now();
  EXPECT_FALSE(clock->sleep_for(1h, source.get_token()));
  EXPECT_LT(clock->steady_now() - before, 1h);
}

TEST_P(ClockContract, CancelEndsTheSleep) {
  const auto clock = GetParam().holding();
  CancelSource source;
  bool slept = true;
  std::thread sleeper([&] { slept = clock->sleep_for(10h, source.get_token()); });
  source.request_stop();
  sleeper.join();
  EXPECT_FALSE(slept);
}

INSTANTIATE_TEST_SUITE_P(
    All, ClockContract,
    ::testing::Values(ClockKind{"System", [] { return std::make_unique<platform::SystemClock>(); },
                                [] { return std::make_unique<platform::SystemClock>(); }},
                      ClockKind{"Fake", [] { return std::make_unique<FakeClock>(); },
                                [] { return std::make_unique<FakeClock>(SleepMode::hold); }}),
    [](const auto& instance) { return instance.param.name; });

TEST(SystemClock, AcceptsTheLongestDuration) {
  CancelSource source;
  std::thread canceller([&] { source.request_stop(); });
  EXPECT_FALSE(
      platform::SystemClock().sleep_for(std::chrono::nanoseconds::max(), source.get_token()));
  canceller.join();
}

TEST(FakeClock, RemembersSleepsAndMovesBothClocks) {
  const FakeClock clock;
  const auto steady = clock.steady_now();
  const auto wall = clock.wall_now();
  EXPECT_TRUE(clock.sleep_for(2s, CancelToken()));
  EXPECT_TRUE(clock.sleep_for(40ms, CancelToken()));
  EXPECT_EQ(clock.sleeps(), (std::vector<std::chrono::milliseconds>{2s, 40ms}));
  EXPECT_EQ(clock.steady_now() - steady, 2040ms);
  EXPECT_EQ(clock.wall_now() - wall, 2040ms);
}

TEST(FakeClock, HoldsSleepersUntilTheTimeIsMoved) {
  FakeClock clock(SleepMode::hold);
  bool slept = false;
  std::thread sleeper([&] { slept = clock.sleep_for(10s, CancelToken()); });
  clock.wait_for_sleepers(1);
  clock.advance(9s);
  clock.wait_for_sleepers(1);
  clock.advance(1s);
  sleeper.join();
  EXPECT_TRUE(slept);
}

}  // namespace
}  // namespace yume
