// SPDX-License-Identifier: MIT
// What systems without std::jthread run with, here beside what the others have.
#include "util/own_cancel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace yume::own {
namespace {

using std::chrono::hours;
using OnStop = StopCallback<std::function<void()>>;

TEST(OwnCancel, ATokenSaysWhatItsSourceWasAsked) {
  const StopSource source;
  const StopToken token = source.get_token();
  EXPECT_TRUE(token.stop_possible());
  EXPECT_FALSE(token.stop_requested());
  EXPECT_TRUE(source.request_stop());
  EXPECT_FALSE(source.request_stop());
  EXPECT_TRUE(token.stop_requested());
  EXPECT_EQ(token, source.get_token());
}

TEST(OwnCancel, ATokenOfNobodyIsNeverStopped) {
  const StopToken token;
  const OnStop callback(token, [] { FAIL(); });
  EXPECT_FALSE(token.stop_possible());
  EXPECT_FALSE(token.stop_requested());
}

TEST(OwnCancel, RunsEachCallbackOnceOnTheThreadThatStops) {
  const StopSource source;
  std::vector<std::thread::id> runs;
  const OnStop one(source.get_token(), [&] { runs.push_back(std::this_thread::get_id()); });
  const OnStop two(source.get_token(), [&] { runs.push_back(std::this_thread::get_id()); });
  source.request_stop();
  source.request_stop();
  EXPECT_EQ(runs, (std::vector{std::this_thread::get_id(), std::this_thread::get_id()}));
}

TEST(OwnCancel, RunsALateCallbackAtOnceAndNoneThatIsGone) {
  const StopSource source;
  int runs = 0;
  auto gone = std::make_unique<OnStop>(source.get_token(), [&] { runs += 100; });
  const OnStop kept(source.get_token(), [&] { ++runs; });
  auto also_gone = std::make_unique<OnStop>(source.get_token(), [&] { runs += 100; });
  gone.reset();
  also_gone.reset();
  source.request_stop();
  EXPECT_EQ(runs, 1);
  const OnStop late(source.get_token(), [&] { ++runs; });
  EXPECT_EQ(runs, 2);
}

TEST(OwnCancel, ACallbackMayDestroyItself) {
  const StopSource source;
  std::optional<OnStop> callback;
  callback.emplace(source.get_token(), [&] { callback.reset(); });
  source.request_stop();
  EXPECT_FALSE(callback.has_value());
}

TEST(OwnCancel, ADestructorWaitsForACallbackThatRunsElsewhere) {
  const StopSource source;
  std::promise<void> runs;
  std::promise<void> may_end;
  std::atomic<bool> ended = false;
  auto callback = std::make_unique<OnStop>(source.get_token(), [&] {
    runs.set_value();
    may_end.get_future().wait();
    ended = true;
  });
  Thread stopper([&] { source.request_stop(); });
  runs.get_future().wait();
  Thread destroyer([&] {
    callback.reset();
    EXPECT_TRUE(ended);
  });
  may_end.set_value();
  destroyer.join();
}

TEST(OwnCancel, AThreadIsStoppedAndAwaitedByItsDestructor) {
  bool stopped = false;
  {
    const Thread thread([&](const StopToken& token) {
      Condition never;
      std::mutex mutex;
      std::unique_lock lock(mutex);
      stopped = !never.wait(lock, token, [] { return false; });
    });
  }
  EXPECT_TRUE(stopped);
}

TEST(OwnCancel, AThreadThatIsReplacedHasEnded) {
  std::atomic<int> ended = 0;
  const auto run = [&](const StopToken& token) {
    Condition never;
    std::mutex mutex;
    std::unique_lock lock(mutex);
    never.wait(lock, token, [] { return false; });
    ++ended;
  };
  Thread thread(run);
  Thread moved(std::move(thread));
  EXPECT_FALSE(thread.joinable());  // NOLINT: what was moved from is looked at
  moved = Thread(run);
  EXPECT_EQ(ended, 1);
  EXPECT_TRUE(moved.request_stop());
  moved.join();
  EXPECT_EQ(ended, 2);
}

TEST(OwnCancel, AWaitEndsByItsPredicateItsDeadlineAndItsToken) {
  Condition changed;
  std::mutex mutex;
  std::unique_lock lock(mutex);
  const StopSource source;
  const auto past = std::chrono::steady_clock::now();
  EXPECT_TRUE(changed.wait(lock, source.get_token(), [] { return true; }));
  EXPECT_FALSE(changed.wait_until(lock, source.get_token(), past, [] { return false; }));
  EXPECT_TRUE(changed.wait_until(lock, source.get_token(), past, [] { return true; }));
  EXPECT_EQ(changed.wait_until(lock, past), std::cv_status::timeout);
  EXPECT_FALSE(changed.wait_for(lock, std::chrono::milliseconds(0), [] { return false; }));
  source.request_stop();
  EXPECT_FALSE(changed.wait(lock, source.get_token(), [] { return false; }));
  EXPECT_TRUE(changed.wait(lock, source.get_token(), [] { return true; }));
  EXPECT_FALSE(
      changed.wait_for(lock, source.get_token(), hours(24L * 365 * 1000), [] { return false; }));
  EXPECT_TRUE(lock.owns_lock());
}

TEST(OwnCancel, NoNotificationIsLost) {
  constexpr int k_turns = 2000;
  Condition changed;
  std::mutex mutex;
  int turn = 0;
  const auto play = [&](int own, const StopToken& token) {
    std::unique_lock lock(mutex);
    while (turn < k_turns) {
      if (!changed.wait(lock, token, [&] { return turn % 2 == own || turn >= k_turns; })) return;
      ++turn;
      changed.notify_one();
    }
    changed.notify_all();
  };
  Thread one([&](const StopToken& token) { play(0, token); });
  Thread two([&](const StopToken& token) { play(1, token); });
  one.join();
  two.join();
  EXPECT_GE(turn, k_turns);
}

TEST(OwnCancel, AStopIsSeenWheneverItComes) {
  for (int round = 0; round < 500; ++round) {
    Condition changed;
    std::mutex mutex;
    const StopSource source;
    Thread stopper([&] { source.request_stop(); });
    std::unique_lock lock(mutex);
    EXPECT_FALSE(changed.wait(lock, source.get_token(), [] { return false; }));
  }
}

}  // namespace
}  // namespace yume::own
