// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "util/cancel.h"

namespace yume {
namespace {

// The standard library of this compiler lost a wake-up here, in every hundredth round or so.
TEST(Cancel, EndsEveryWaitOnACondition) {
  for (int round = 0; round < 2000; ++round) {
    std::mutex mutex;
    std::condition_variable_any changed;
    CancelSource source;
    std::thread canceller([&] { source.request_stop(); });
    std::unique_lock lock(mutex);
    EXPECT_FALSE(changed.wait(lock, source.get_token(), [] { return false; }));
    lock.unlock();
    canceller.join();
  }
}

}  // namespace
}  // namespace yume
