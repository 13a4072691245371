// SPDX-License-Identifier: MIT
// What DuplexProcess promises and only POSIX can show: signals, descriptors, and hidden descendants
// when this process is killed. The rest is in duplex_process_test.cpp.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>

#include "platform/duplex_process.h"
#include "support/duplex_children.h"
#include "support/forked.h"
#include "support/temporary_directory.h"

#if defined(__linux__)
#include <sys/prctl.h>
#endif

namespace yume {
namespace {

using namespace std::chrono_literals;
using platform::DuplexProcess;
using platform::DuplexSpec;
using platform::ProcessEnd;
using platform::ProcessEndKind;

namespace duplex = test::duplex;

[[maybe_unused]] constexpr auto k_at_once = 10s;

std::unique_ptr<DuplexProcess> start(const DuplexSpec& spec) {
  auto started = platform::start_duplex_process(spec);
  EXPECT_TRUE(started.ok()) << started.error().message;
  return started.ok() ? std::move(started).value() : nullptr;
}

std::string read_all(DuplexProcess& process) {
  std::string all;
  std::array<char, 1000> buffer;
  for (auto got = process.read(buffer, {}); got.ok() && *got > 0; got = process.read(buffer, {})) {
    all.append(buffer.data(), *got);
  }
  return all;
}

std::string read_line(DuplexProcess& process) {
  std::string line;
  std::array<char, 1> byte;
  for (auto got = process.read(byte, {}); got.ok() && *got > 0; got = process.read(byte, {})) {
    if (byte[0] == '\n') break;
    line += byte[0];
  }
  return line;
}

TEST(DuplexProcessPosix, TellsTheSignal) {
  const auto process = start(duplex::does("kill -SEGV $$"));
  EXPECT_EQ(*process->wait(CancelToken()),
            (ProcessEnd{.kind = ProcessEndKind::signalled, .signal = SIGSEGV}));
  const auto written = process->write("x", CancelToken());
  EXPECT_EQ(written.error().message, "cannot write to /bin/bash: it was killed by SIGSEGV");
}

TEST(DuplexProcessPosix, StopLetsTheChildSayGoodbyeAfterTerm) {
  const auto process =
      start(duplex::does("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done"));
  EXPECT_EQ(read_line(*process), "ready");
  // A grace of ten seconds behind TERM, and none before it, would need two numbers: a short one
  // serves both, as the child looks at its signals every ten milliseconds.
  EXPECT_EQ(process->stop(2s), ProcessEnd{.kind = ProcessEndKind::cancelled});
  EXPECT_EQ(read_all(*process), "bye\n");
}

TEST(DuplexProcessPosix, AChildThatClosedItsInputIsAnErrorAndNoSignal) {
  // In a process where SIGPIPE kills, as it does unless somebody changes that.
  EXPECT_EQ(test::exit_code_of([] {
              ::signal(SIGPIPE, SIG_DFL);
              const auto process = start(duplex::does("exec 0<&-; echo closed; sleep 30"));
              if (read_line(*process) != "closed") return 1;
              for (;;) {
                const auto written = process->write("hello?", CancelToken());
                if (written.ok()) continue;
                return written.error().message ==
                               "cannot write to /bin/bash: it has closed its input"
                           ? 0
                           : 2;
              }
            }),
            0);
}

TEST(DuplexProcessPosix, TheChildHasCleanSignalsAndNoOtherDescriptors) {
  ::signal(SIGPIPE, SIG_IGN);
  const int leaky = ::open("/dev/null", O_RDWR);  // without CLOEXEC
  const auto other = start(duplex::echoes());
  const auto process =
      start(duplex::does("grep -E '^Sig(Blk|Ign)' /proc/self/status;"
                         "for fd in {0..1000}; do [ ! -e /proc/$$/fd/$fd ] || echo $fd; done"));
  EXPECT_EQ(read_all(*process), "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n0\n1\n2\n");
  ::close(leaky);
  ::signal(SIGPIPE, SIG_DFL);
}

TEST(DuplexProcessPosix, StdinIsAPipeThatCanBeOpenedAgain) {
  const auto process = start(duplex::does("cat /dev/stdin"));
  ASSERT_TRUE(process->write("again", CancelToken()).ok());
  process->close_stdin();
  EXPECT_EQ(read_all(*process), "again");
}

std::size_t count_entries(const char* directory) {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(directory)) {
    ++count;
  }
  return count;
}

TEST(DuplexProcessPosix, LeavesNoDescriptorsNoThreadsAndNoZombies) {
  start(duplex::exits(0))->stop(1s);  // what is opened once
  const std::size_t descriptors = count_entries("/proc/self/fd");
  const std::size_t threads = count_entries("/proc/self/task");
  for (int round = 0; round < 20; ++round) {
    start(duplex::exits(0))->stop(1s);
    start(duplex::echoes());
    const auto unread = start(duplex::writes_zeros_and_exits(3'000'000, 0));
    EXPECT_TRUE(unread->write(std::string(3'000'000, 'x'), CancelToken()).ok());
    EXPECT_FALSE(platform::start_duplex_process(duplex::missing()).ok());
  }
  EXPECT_EQ(count_entries("/proc/self/fd"), descriptors);
  EXPECT_EQ(count_entries("/proc/self/task"), threads);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

TEST(DuplexProcessPosix, SaysWhenDescriptorsRunOut) {
  EXPECT_EQ(test::exit_code_of([] {
              while (::dup(STDIN_FILENO) >= 0) {
              }
              const auto started = platform::start_duplex_process(duplex::echoes());
              return !started.ok() && started.error().message ==
                                          "cannot start /bin/bash: too many open files"
                         ? 0
                         : 1;
            }),
            0);
}

#if defined(__linux__)

// The test is a subreaper: whatever escapes becomes its child, so waitpid tells.
class DuplexTree : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(::prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
    ASSERT_EQ(::mkfifo(fifo_.c_str(), 0600), 0);
    signs_of_life_ = ::open(fifo_.c_str(), O_RDWR | O_CLOEXEC);
    ASSERT_GE(signs_of_life_, 0);
  }
  void TearDown() override {
    ::close(signs_of_life_);
    ::prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
  }

  // Three descendants that hide and hold all streams; each writes a byte when it is there.
  DuplexSpec hides() const {
    return duplex::does("exec 9>" + fifo_ + R"(
trap '' TERM HUP INT
stay='trap "" TERM HUP INT; printf x >&9; sleep 30; :'
bash -c "$stay" &
setsid setsid -f bash -c "$stay"
( setsid bash -c "($stay) & exit 0" & )
while :; do sleep 30; done)");
  }

  void wait_until_all_hide() const {
    std::array<char, 1> byte;
    for (int i = 0; i < 3; ++i) ASSERT_EQ(::read(signs_of_life_, byte.data(), 1), 1);
  }

  static void expect_nobody_left() {
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "an escaped process";
    EXPECT_EQ(errno, ECHILD);
  }

  test::TemporaryDirectory directory_;
  std::string fifo_ = (directory_.path() / "fifo").string();
  int signs_of_life_ = -1;
};

TEST_F(DuplexTree, DiesWithItsObject) {
  {
    const auto process = start(hides());
    wait_until_all_hide();
  }
  expect_nobody_left();
}

TEST_F(DuplexTree, DiesByStop) {
  const auto process = start(hides());
  wait_until_all_hide();
  EXPECT_EQ(process->stop(20ms), ProcessEnd{.kind = ProcessEndKind::cancelled});
  expect_nobody_left();
}

TEST_F(DuplexTree, DiesWithAKilledAgent) {
  test::Forked agent([&] {
    const auto process = start(hides());
    const auto other = start(duplex::echoes());
    read_all(*process);
    return 0;
  });
  wait_until_all_hide();
  agent.kill(SIGKILL);
  EXPECT_EQ(agent.wait(), 1000 + SIGKILL);
  // The supervisors become ours too and need a moment.
  const auto begin = std::chrono::steady_clock::now();
  while (::waitpid(-1, nullptr, 0) > 0 || errno == EINTR) {
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, k_at_once);
}

#endif

}  // namespace
}  // namespace yume
