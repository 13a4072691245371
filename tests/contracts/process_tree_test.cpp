// SPDX-License-Identifier: MIT
// No descendant outlives run(), however it hides and however the command or the agent ends. The
// test is a subreaper itself: whatever escapes becomes its child, so waitpid tells, without looking
// for process ids and without waiting.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <string>
#include <thread>

#include "platform/process.h"
#include "platform/stdio.h"
#include "support/forked.h"
#include "support/run_command.h"
#include "support/temporary_directory.h"

#if defined(__linux__)
#include <sys/prctl.h>

namespace yume {
namespace {

using namespace std::chrono_literals;
using platform::ProcessEnd;
using platform::ProcessEndKind;
using test::bash;
using test::run;

// The hidden processes live this long at most, so that a failing test cannot hang.
constexpr auto k_hidden_life = 30s;
constexpr auto k_at_once = 10s;
constexpr int k_hidden_count = 7;

// Each hides in another way, ignores TERM, and writes one byte to descriptor 9 when it is there.
// The last line says how the command itself goes on.
std::string hide_then(const std::string& fifo, const std::string& last_line) {
  return "exec 9>" + fifo + R"(
trap '' TERM HUP INT
stay='trap "" TERM HUP INT; printf x >&9; sleep 30; :'
bash -c "$stay" &
setsid bash -c "$stay" &
setsid setsid -f bash -c "$stay"
( ( bash -c "$stay" & ) & )
( setsid bash -c "($stay) & exit 0" & )
setsid -f bash -c "set -m; bash -c '$stay' & disown; exit 0"
bash -c "printf x >&9; while ((SECONDS < 30)); do sleep 0.001; done" &
disown -a
)" + last_line;
}

class ProcessTree : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    ASSERT_EQ(::mkfifo(fifo_.c_str(), 0600), 0);
    // Opened for both, so that a missing writer is not an end.
    signs_of_life_ = ::open(fifo_.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(signs_of_life_, 0);
  }
  void TearDown() override {
    ::close(signs_of_life_);
    ::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
  }

  void wait_until_all_hide() const {
    std::array<char, k_hidden_count> bytes;
    for (std::size_t got = 0; got < bytes.size();) {
      const ssize_t more = ::read(signs_of_life_, bytes.data(), bytes.size() - got);
      ASSERT_GT(more, 0);
      got += static_cast<std::size_t>(more);
    }
  }

  static void expect_nobody_left() {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "an escaped process";
    EXPECT_EQ(errno, ECHILD);
  }

  // For an agent that was killed: its supervisor becomes ours too and needs a moment.
  static void expect_all_die_at_once() {
    const auto start = std::chrono::steady_clock::now();
    while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
    }
    EXPECT_LT(std::chrono::steady_clock::now() - start, k_at_once);
    static_assert(k_at_once < k_hidden_life);
  }

  test::TemporaryDirectory directory_;
  std::string fifo_ = (directory_.path() / "fifo").string();
  int signs_of_life_ = -1;
};

TEST_F(ProcessTree, DiesWhenTheCommandExits) {
  // The command ends only when all are in place.
  const std::string gate = (directory_.path() / "gate").string();
  ASSERT_EQ(::mkfifo(gate.c_str(), 0600), 0);
  std::thread opener([&] {
    wait_until_all_hide();
    ::close(::open(gate.c_str(), O_WRONLY));
  });
  const auto ran = run(bash(hide_then(fifo_, "read < " + gate + "; echo hi; exit 5")));
  opener.join();
  EXPECT_EQ(ran.end, (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 5}));
  EXPECT_EQ(ran.output, "hi\n");
  expect_nobody_left();
}

TEST_F(ProcessTree, DiesOnTimeout) {
  auto spec = bash(hide_then(fifo_, "echo ready; while :; do wait; done"));
  spec.timeout = 500ms;
  const auto ran = run(spec);
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::timed_out});
  EXPECT_LT(ran.took, 2500ms + k_at_once);
  expect_nobody_left();
}

TEST_F(ProcessTree, DiesOnCancel) {
  CancelSource source;
  std::thread canceller([&] {
    wait_until_all_hide();
    source.request_stop();
  });
  const auto ran = run(bash(hide_then(fifo_, "while :; do sleep 30; done")), source.get_token());
  canceller.join();
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::cancelled});
  expect_nobody_left();
}

TEST_F(ProcessTree, DiesWithAKilledAgent) {
  test::Forked agent([&] {
    platform::prepare_process();  // as the real agent: not dumpable
    run(bash(hide_then(fifo_, "while :; do sleep 30; done")));
    return 0;
  });
  wait_until_all_hide();
  agent.kill(SIGKILL);
  EXPECT_EQ(agent.wait(), 1000 + SIGKILL);
  expect_all_die_at_once();
}

TEST_F(ProcessTree, DiesWithAnAgentKilledDuringSeveralCalls) {
  test::Forked agent([&] {
    const auto hide = [&] { run(bash(hide_then(fifo_, "while :; do sleep 30; done"))); };
    std::thread second(hide);
    std::thread third(hide);
    hide();
    return 0;
  });
  for (int call = 0; call < 3; ++call) wait_until_all_hide();
  agent.kill(SIGKILL);
  EXPECT_EQ(agent.wait(), 1000 + SIGKILL);
  expect_all_die_at_once();
}

TEST_F(ProcessTree, DiesWithAnAgentOfAnOrdinaryUser) {
  if (::getuid() != 0) GTEST_SKIP() << "the other tests ran as one";
  ASSERT_EQ(::chmod(directory_.path().c_str(), 0755), 0);
  ASSERT_EQ(::chmod(fifo_.c_str(), 0666), 0);
  test::Forked agent([&] {
    constexpr uid_t k_nobody = 65534;
    if (::setuid(k_nobody) != 0) return 1;
    platform::prepare_process();  // its /proc entries now belong to root
    run(bash(hide_then(fifo_, "while :; do sleep 30; done")));
    return 0;
  });
  wait_until_all_hide();
  agent.kill(SIGKILL);
  EXPECT_EQ(agent.wait(), 1000 + SIGKILL);
  expect_all_die_at_once();
}

TEST_F(ProcessTree, ABackgroundChildDoesNotHoldTheCall) {
  const auto ran = run(bash("sleep 30 & echo hi"));
  EXPECT_EQ(ran.end, ProcessEnd{});
  EXPECT_EQ(ran.output, "hi\n");
  EXPECT_LT(ran.took, k_at_once);
  expect_nobody_left();
}

TEST_F(ProcessTree, TermReachesDescendantsInOtherSessions) {
  CancelSource source;
  auto spec = bash(
      "setsid bash -c 'trap \"echo got it; exit\" TERM; echo ready;"
      " while :; do sleep 0.01; done' & wait");
  spec.timeout = 300ms;
  const auto ran = run(spec);
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::timed_out});
  EXPECT_TRUE(ran.output.ends_with("got it\n")) << ran.output;
  expect_nobody_left();
}

TEST_F(ProcessTree, ACommandThatKillsItsSupervisorEndsTheCall) {
  const auto ran = run(bash("kill -KILL $PPID; while :; do :; done"));
  EXPECT_EQ(ran.end, (ProcessEnd{.kind = ProcessEndKind::signalled, .signal = SIGKILL}));
  EXPECT_LT(ran.took, k_at_once);
  expect_all_die_at_once();
}

TEST_F(ProcessTree, OtherSignalsDoNotReachTheSupervisor) {
  const auto ran =
      run(bash("for s in TERM INT HUP QUIT USR1 ALRM PIPE; do kill -$s $PPID; done;"
               " sleep 30 & echo hi"));
  EXPECT_EQ(ran.end, ProcessEnd{});
  EXPECT_EQ(ran.output, "hi\n");
  expect_nobody_left();
}

}  // namespace
}  // namespace yume

#endif
