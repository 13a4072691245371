// SPDX-License-Identifier: MIT
#include "session/host_terminals.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "support/recording_sink.h"
#include "util/thread.h"

namespace yume::session {
namespace {

using core::HostTerminal;
using core::UseTerminal;
using platform::ProcessEnd;
using platform::ProcessEndKind;
using Step = UseTerminal::Step;
using Steps = std::vector<Step>;
using std::chrono::hours;
using std::chrono::milliseconds;

// An editor with one terminal, whose command ends when the test says so, or when it is killed.
class Editor final : public core::Questions {
 public:
  Result<core::HostAnswer> ask(core::HostQuestion question, std::optional<milliseconds> /*timeout*/,
                               const CancelToken& cancel) override {
    const auto& asked = std::get<UseTerminal>(question);
    std::unique_lock lock(mutex_);
    steps_.push_back(asked.step);
    if (asked.step == Step::create) {
      if (refuses) return core::HostAnswer(core::HostFailed{"no"});
      if (cancel.stop_requested()) return Error{.code = ErrorCode::cancelled, .message = "gone"};
      made = asked;
    }
    if (asked.step == Step::kill) finish({.signal = "SIGTERM"});
    if (asked.step == Step::wait) {
      if (!changed_.wait(lock, cancel, [this] { return ended_.has_value(); })) {
        return Error{.code = ErrorCode::cancelled, .message = "not waited for"};
      }
      return core::HostAnswer(*ended_);
    }
    return core::HostAnswer(
        HostTerminal{.id = "t1", .output = "a\r\nb\r\n", .lost_beginning = cut});
  }

  void end(HostTerminal how) {
    const std::lock_guard lock(mutex_);
    finish(std::move(how));
  }
  Steps steps() {
    const std::lock_guard lock(mutex_);
    return steps_;
  }

  UseTerminal made;
  bool refuses = false;
  bool cut = false;

 private:
  void finish(HostTerminal how) {
    ended_ = std::move(how);
    changed_.notify_all();
  }

  std::mutex mutex_;
  Condition changed_;
  std::optional<HostTerminal> ended_;
  Steps steps_;
};

class Printed final : public platform::ProcessOutput {
 public:
  void on_output(std::string_view bytes) override { text += bytes; }
  std::string text;
};

class HostTerminalsTest : public testing::Test {
 protected:
  std::unique_ptr<platform::RunningProcess> start(
      std::optional<milliseconds> timeout = std::nullopt) {
    auto started = terminals.start({.argv = {"/bin/bash", "-c", "ls"},
                                    .cwd = "/p",
                                    .environment = {"A=b"},
                                    .timeout = timeout},
                                   "c1", CancelToken());
    EXPECT_TRUE(started.ok());
    return std::move(started).value();
  }

  Editor editor;
  test::RecordingSink events;
  platform::SystemClock clock;
  HostTerminals terminals{editor, events, clock};
  Printed printed;
};

TEST_F(HostTerminalsTest, RunsACommandAndSaysHowItEnded) {
  const auto process = start();
  EXPECT_EQ(editor.made.argv, (std::vector<std::string>{"/bin/bash", "-c", "ls"}));
  EXPECT_EQ(editor.made.environment, std::vector<std::string>{"A=b"});
  EXPECT_EQ(editor.made.cwd, "/p");
  EXPECT_EQ(events.events().size(), 1U);  // in which terminal the call runs
  EXPECT_FALSE(process->wait(printed, clock.steady_now()).has_value());
  editor.end({.exit_code = 3});
  const auto ended = process->wait(printed, std::nullopt);
  ASSERT_TRUE(ended.has_value() && ended->ok());
  EXPECT_EQ(**ended, ProcessEnd{.exit_code = 3});
  EXPECT_EQ(printed.text, "a\nb\n");
  EXPECT_EQ(editor.steps(), (Steps{Step::create, Step::wait, Step::output, Step::release}));
}

TEST_F(HostTerminalsTest, SaysThatTheBeginningOfAnOutputIsLost) {
  editor.cut = true;
  editor.end({.signal = "KILL"});
  const auto ended = start()->wait(printed, std::nullopt);
  ASSERT_TRUE(ended.has_value() && ended->ok());
  EXPECT_EQ(**ended, (ProcessEnd{.kind = ProcessEndKind::signalled, .signal = 9}));
  EXPECT_EQ(printed.text, "[the terminal did not keep what came before]\na\nb\n");
}

TEST_F(HostTerminalsTest, NeverTakesAnUnknownEndForAGoodOne) {
  editor.end({});
  const auto ended = start()->wait(printed, std::nullopt);
  ASSERT_TRUE(ended.has_value() && ended->ok());
  EXPECT_NE(**ended, ProcessEnd{});
}

TEST_F(HostTerminalsTest, KillsACommandThatRunsTooLong) {
  const auto ended = start(milliseconds(1))->wait(printed, clock.steady_now() + hours(1));
  ASSERT_TRUE(ended.has_value() && ended->ok());
  EXPECT_EQ((*ended)->kind, ProcessEndKind::timed_out);
  EXPECT_EQ(printed.text, "a\nb\n");
  const Steps steps = editor.steps();
  EXPECT_EQ(std::count(steps.begin(), steps.end(), Step::kill), 1);
  EXPECT_EQ(steps.back(), Step::release);
}

TEST_F(HostTerminalsTest, KillsACommandThatIsStopped) {
  const auto process = start();
  process->stop();
  const auto ended = process->wait(printed, std::nullopt);
  ASSERT_TRUE(ended.has_value() && ended->ok());
  EXPECT_EQ((*ended)->kind, ProcessEndKind::cancelled);
  EXPECT_EQ(editor.steps().back(), Step::release);
}

TEST_F(HostTerminalsTest, ReleasesACommandThatNobodyWaitsFor) {
  start();
  EXPECT_EQ(editor.steps().back(), Step::release);
}

TEST_F(HostTerminalsTest, LeavesToOthersWhatTheHostRefuses) {
  editor.refuses = true;
  EXPECT_EQ(start(), nullptr);
  EXPECT_EQ(editor.steps(), Steps{Step::create});
}

TEST_F(HostTerminalsTest, StartsNothingWhenTheTurnIsOver) {
  CancelSource over;
  over.request_stop();
  const auto started =
      terminals.start({.argv = {"x"}, .cwd = "/p", .environment = {}}, "c1", over.get_token());
  ASSERT_FALSE(started.ok());
  EXPECT_EQ(started.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace yume::session
