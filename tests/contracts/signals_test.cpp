// SPDX-License-Identifier: MIT
// The contract of platform::SignalPump with real signals, each in a forked process because the pump
// blocks them for good.
#include "platform/signals.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "support/forked.h"

namespace yume {
namespace {

using platform::Signal;

class Received {
 public:
  void add(Signal signal) {
    const std::lock_guard lock(mutex_);
    all_.push_back(signal);
    changed_.notify_all();
  }
  std::vector<Signal> wait_for(std::size_t count) {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return all_.size() >= count; });
    return all_;
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Signal> all_;
};

TEST(SignalPump, HandsOnEachSignal) {
  EXPECT_EQ(test::exit_code_of([] {
              ::signal(SIGHUP, SIG_DFL);  // the test may run under nohup
              Received received;
              const auto pump =
                  platform::start_signal_pump([&](Signal signal) { received.add(signal); });
              std::vector<Signal> expected;
              for (const auto& [number, signal] :
                   {std::pair{SIGINT, Signal::interrupt}, std::pair{SIGTERM, Signal::terminate},
                    std::pair{SIGHUP, Signal::hangup}, std::pair{SIGQUIT, Signal::quit}}) {
                ::kill(::getpid(), number);
                expected.push_back(signal);
                if (received.wait_for(expected.size()) != expected) return 1;
              }
              return 0;
            }),
            0);
}

TEST(SignalPump, OtherThreadsAreNotInterrupted) {
  EXPECT_EQ(test::exit_code_of([] {
              Received received;
              const auto pump =
                  platform::start_signal_pump([&](Signal signal) { received.add(signal); });
              std::thread other([] { ::kill(::getpid(), SIGTERM); });
              other.join();
              return received.wait_for(1) == std::vector{Signal::terminate} ? 0 : 1;
            }),
            0);
}

TEST(SignalPump, StopsWithoutASignalAndCallsNobody) {
  EXPECT_EQ(test::exit_code_of([] {
              int calls = 0;
              for (int i = 0; i < 100; ++i) {
                const auto pump = platform::start_signal_pump([&](Signal) { ++calls; });
              }
              return calls;
            }),
            0);
}

TEST(SignalPump, LeavesHangupIgnoredUnderNohup) {
  EXPECT_EQ(test::exit_code_of([] {
              ::signal(SIGHUP, SIG_IGN);
              Received received;
              const auto pump =
                  platform::start_signal_pump([&](Signal signal) { received.add(signal); });
              ::kill(::getpid(), SIGHUP);
              ::kill(::getpid(), SIGTERM);
              return received.wait_for(1) == std::vector{Signal::terminate} ? 0 : 1;
            }),
            0);
}

TEST(SignalPump, IgnoresBrokenPipes) {
  EXPECT_EQ(test::exit_code_of([] {
              ::signal(SIGPIPE, SIG_DFL);
              const auto pump = platform::start_signal_pump([](Signal) {});
              ::raise(SIGPIPE);
              return 0;
            }),
            0);
}

}  // namespace
}  // namespace yume
