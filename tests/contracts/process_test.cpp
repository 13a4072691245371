// SPDX-License-Identifier: MIT
// The contract of platform::ProcessRunner with real commands: what they are given, how their end is
// told. That nothing survives is in process_tree_test.cpp.
#include "platform/process.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "support/forked.h"
#include "support/run_command.h"
#include "support/temporary_directory.h"

namespace yume {
namespace {

using namespace std::chrono_literals;
using platform::ProcessEnd;
using platform::ProcessEndKind;
using platform::ProcessSpec;
using test::bash;
using test::RecordedOutput;
using test::run;

// Far above what is measured (ms), far below what the commands would take if left alone (s).
constexpr auto k_at_once = 5s;

TEST(ProcessRunner, TellsExitCodeAndOutputOfBothStreamsInOrder) {
  const auto ran = run(bash("echo one; echo two >&2; echo three; exit 7"));
  EXPECT_EQ(ran.end, (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 7}));
  EXPECT_EQ(ran.output, "one\ntwo\nthree\n");
}

TEST(ProcessRunner, KeepsStderrApartWhenAskedTo) {
  ProcessSpec spec = bash("echo one; echo two >&2; echo three; printf four >&2; exit 7");
  spec.stderr_mode = platform::StderrMode::apart;
  const auto ran = run(spec);
  EXPECT_EQ(ran.end, (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 7}));
  EXPECT_EQ(ran.output, "one\nthree\n");
  EXPECT_EQ(ran.error_output, "two\nfour");
}

TEST(ProcessRunner, LosesNothingOfTwoFullStreams) {
  ProcessSpec spec = bash("head -c 300000 /dev/zero & head -c 400000 /dev/zero >&2; wait");
  spec.stderr_mode = platform::StderrMode::apart;
  const auto ran = run(spec);
  EXPECT_EQ(ran.output.size(), 300'000U);
  EXPECT_EQ(ran.error_output.size(), 400'000U);
}

TEST(ProcessRunner, TellsTheSignal) {
  const auto ran = run(bash("kill -SEGV $$"));
  EXPECT_EQ(ran.end, (ProcessEnd{.kind = ProcessEndKind::signalled, .signal = SIGSEGV}));
}

TEST(ProcessRunner, GivesExactlyTheArgumentsVariablesAndDirectory) {
  const test::TemporaryDirectory directory;
  const auto arguments = run({.argv = {"/usr/bin/printf", "[%s]", "a b", "", "$x\n", "\xff"},
                              .cwd = directory.path(),
                              .environment = {}});
  EXPECT_EQ(arguments.output, "[a b][][$x\n][\xff]");
  const auto variables =
      run({.argv = {"/usr/bin/env"}, .cwd = directory.path(), .environment = {"A=1", "B=x=y"}});
  EXPECT_EQ(variables.output, "A=1\nB=x=y\n");
  const auto where = run({.argv = {"/bin/pwd"}, .cwd = directory.path(), .environment = {}});
  EXPECT_EQ(where.output, directory.path().string() + "\n");
}

TEST(ProcessRunner, HasNoInputAndNoTerminal) {
  EXPECT_EQ(run(bash("cat; read -r line || echo end")).output, "end\n");
  EXPECT_EQ(run(bash("(: < /dev/tty) 2>/dev/null || echo none")).output, "none\n");
}

TEST(ProcessRunner, GivesTheCommandItsInputAndItsEnd) {
  ProcessSpec spec = bash("cat; read -r line || echo end");
  spec.input = std::string("one\ntwo\0three", 13) + "\n";
  EXPECT_EQ(run(spec).output, spec.input + "end\n");
  // More than a pipe holds, for a command that takes none of it.
  spec = bash("echo ready");
  spec.input.assign(4 << 20, 'x');
  EXPECT_EQ(run(spec).output, "ready\n");
  spec = bash("wc -c; ls /proc/self/fd | wc -l");
  spec.input.assign(4 << 20, 'x');
  EXPECT_EQ(run(spec).output, "4194304\n4\n");  // the fourth is that of ls
}

TEST(ProcessRunner, PassesOnNoDescriptors) {
  std::vector<int> leaky;
  for (int i = 0; i < 50; ++i) leaky.push_back(::open("/dev/null", O_RDWR));  // without CLOEXEC
  const int high = ::fcntl(leaky[0], F_DUPFD, 900);
  const auto ran = run(bash("for fd in {0..1000}; do [ ! -e /proc/$$/fd/$fd ] || echo $fd; done"));
  for (const int fd : leaky) ::close(fd);
  ::close(high);
  EXPECT_EQ(ran.output, "0\n1\n2\n");
}

TEST(ProcessRunner, GivesCleanSignalsWhateverTheCallerHas) {
  EXPECT_EQ(test::exit_code_of([] {
              sigset_t all;
              sigfillset(&all);
              ::sigprocmask(SIG_SETMASK, &all, nullptr);
              for (const int signal : {SIGPIPE, SIGINT, SIGTERM}) ::signal(signal, SIG_IGN);
              const auto ran =
                  run({.argv = {"/bin/grep", "-E", "^Sig(Blk|Ign)", "/proc/self/status"},
                       .cwd = "/",
                       .environment = {}});
              return ran.output == "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n" ? 0 : 1;
            }),
            0);
}

TEST(ProcessRunner, RestoresTheCallersSignalMask) {
  sigset_t before;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &before);
  run(bash("true"));
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, nullptr, &after);
  for (int signal = 1; signal < NSIG; ++signal) {
    EXPECT_EQ(sigismember(&before, signal), sigismember(&after, signal)) << signal;
  }
}

TEST(ProcessRunner, WorksWhenTheCallerIgnoresItsChildren) {
  EXPECT_EQ(test::exit_code_of([] {
              ::signal(SIGCHLD, SIG_IGN);
              return run(bash("exit 7")).end.exit_code == 7 ? 0 : 1;
            }),
            0);
}

TEST(ProcessRunner, WorksWithoutStandardStreams) {
  EXPECT_EQ(test::exit_code_of([] {
              for (int fd = 0; fd < 3; ++fd) ::close(fd);
              const auto ran = run(bash("echo out; echo err >&2; cat"));
              return ran.output == "out\nerr\n" ? 0 : 1;
            }),
            0);
}

TEST(ProcessRunner, DeliversLargeOutputWhole) {
  const auto ran = run(bash("head -c 5000000 /dev/zero; echo end"));
  EXPECT_EQ(ran.output.size(), 5'000'004U);
  EXPECT_EQ(ran.output.substr(5'000'000), "end\n");
}

TEST(ProcessRunner, NamesWhatCouldNotBeStarted) {
  std::fflush(nullptr);  // ThreadSanitizer's _exit would flush a copy of it into the output
  RecordedOutput output;
  const auto runner = platform::make_process_runner();
  const auto message = [&](const ProcessSpec& spec) {
    const auto end = runner->run(spec, output, CancelToken());
    return end ? "ran" : end.error().message;
  };
  EXPECT_EQ(message({.argv = {"/no/such"}, .cwd = "/", .environment = {}}),
            "cannot start /no/such: no such file or directory");
  EXPECT_EQ(message({.argv = {"/bin/true"}, .cwd = "/no/dir", .environment = {}}),
            "cannot work in /no/dir: no such file or directory");
  EXPECT_EQ(message({.argv = {"/etc/passwd"}, .cwd = "/", .environment = {}}),
            "cannot start /etc/passwd: permission denied");
  EXPECT_EQ(message({.argv = {"true"}, .cwd = "/", .environment = {}}),
            "cannot start true: not an absolute path");
  EXPECT_EQ(message({.argv = {}, .cwd = "/", .environment = {}}),
            "cannot start a process: no command given");
  EXPECT_EQ(message({.argv = {"/bin/echo", std::string("a\0b", 3)}, .cwd = "/", .environment = {}}),
            "cannot start /bin/echo: NUL byte in an argument");
  EXPECT_EQ(
      message({.argv = {"/bin/echo", std::string(4 << 20, 'x')}, .cwd = "/", .environment = {}}),
      "cannot start /bin/echo: argument list too long");
  EXPECT_EQ(output.text, "");
}

TEST(ProcessRunner, AMissingProgramIsNotFound) {
  RecordedOutput output;
  const auto end = platform::make_process_runner()->run(
      {.argv = {"/no/such"}, .cwd = "/", .environment = {}}, output, CancelToken());
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().code, ErrorCode::not_found);
}

TEST(ProcessRunner, SaysWhenDescriptorsRunOut) {
  EXPECT_EQ(
      test::exit_code_of([] {
        while (::dup(STDIN_FILENO) >= 0) {
        }
        RecordedOutput output;
        const auto end = platform::make_process_runner()->run(bash("true"), output, CancelToken());
        return !end && end.error().message == "cannot start /bin/bash: too many open files" ? 0 : 1;
      }),
      0);
}

TEST(ProcessRunner, DoesNotStartWhenAlreadyCancelled) {
  const test::TemporaryDirectory directory;
  CancelSource source;
  source.request_stop();
  const auto mark = directory.path() / "started";
  const auto ran = run(bash("touch " + mark.string()), source.get_token());
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::cancelled});
  EXPECT_FALSE(std::filesystem::exists(mark));
}

TEST(ProcessRunner, CancelEndsACommandThatIgnoresTerm) {
  CancelSource source;
  const auto ran = run(bash("trap '' TERM; echo ready; while :; do sleep 30; done"),
                       source.get_token(), [&](const std::string&) { source.request_stop(); });
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::cancelled});
  EXPECT_LT(ran.took, k_at_once);
}

TEST(ProcessRunner, CancelFromAnotherThread) {
  CancelSource source;
  std::thread canceller;
  const auto ran = run(bash("echo ready; sleep 30"), source.get_token(), [&](const std::string&) {
    canceller = std::thread([&] { source.request_stop(); });
  });
  canceller.join();
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::cancelled});
  EXPECT_LT(ran.took, k_at_once);
}

TEST(ProcessRunner, CancelAfterTheEndChangesNothing) {
  CancelSource source;
  const auto ran = run(bash("exit 3"), source.get_token());
  source.request_stop();
  EXPECT_EQ(ran.end, (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 3}));
}

TEST(ProcessRunner, TimeoutLetsTheCommandSayGoodbye) {
  auto spec = bash("trap 'echo bye; exit 0' TERM; echo ready; while :; do sleep 0.01; done");
  spec.timeout = 300ms;
  const auto ran = run(spec);
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::timed_out});
  EXPECT_TRUE(ran.output.starts_with("ready\n")) << ran.output;
  EXPECT_TRUE(ran.output.ends_with("bye\n")) << ran.output;
  EXPECT_GE(ran.took, 300ms);
}

TEST(ProcessRunner, TimeoutKillsACommandThatIgnoresTerm) {
  auto spec = bash("trap '' TERM; echo ready; while :; do sleep 30; done");
  spec.timeout = 100ms;
  const auto ran = run(spec);
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::timed_out});
  EXPECT_EQ(ran.output, "ready\n");
  EXPECT_GE(ran.took, 2100ms) << "two seconds of grace";
  EXPECT_LT(ran.took, 2100ms + k_at_once);
}

TEST(ProcessRunner, CancelShortensTheGraceOfATimeout) {
  CancelSource source;
  auto spec = bash("trap 'echo term' TERM; echo ready; while :; do sleep 30 & wait; done");
  spec.timeout = 100ms;
  const auto ran = run(spec, source.get_token(), [&](const std::string& all) {
    if (all.find("term") != std::string::npos) source.request_stop();
  });
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::timed_out});
  EXPECT_LT(ran.took, 1900ms);
}

TEST(ProcessRunner, TheTimeoutHoldsWhileTheReaderIsBusy) {
  // The command fills the pipe and the sink does not come back until the command is dead.
  const test::TemporaryDirectory directory;
  const std::string fifo = (directory.path() / "alive").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const int alive = ::open(fifo.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_EQ(::fcntl(alive, F_SETFL, 0), 0);
  auto spec = bash("exec 9>" + fifo + "; yes");
  spec.timeout = 200ms;
  bool waited = false;
  const auto ran = run(spec, CancelToken(), [&](const std::string&) {
    char byte = 0;
    if (!waited) waited = ::read(alive, &byte, 1) == 0;
  });
  ::close(alive);
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::timed_out});
  EXPECT_TRUE(waited);
}

TEST(ProcessRunner, SixteenThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::string> outputs(16);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 5; ++round) {
        outputs[i] += run(bash("sleep 30 & echo " + std::to_string(i))).output;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string line = std::to_string(i) + "\n";
    EXPECT_EQ(outputs[i], line + line + line + line + line);
  }
}

TEST(RunningProcess, CanBeLookedAfterNowAndThen) {
  const auto process = platform::make_process_runner()->start(bash("echo one; sleep 30; echo two"));
  ASSERT_TRUE(process.ok());
  RecordedOutput output;
  const auto past = std::chrono::steady_clock::now() - 1s;
  EXPECT_FALSE((*process)->wait(output, past).has_value()) << "not over yet";
  while (output.text.empty()) {
    EXPECT_FALSE((*process)->wait(output, std::chrono::steady_clock::now() + 10ms).has_value());
  }
  (*process)->stop();
  const auto end = (*process)->wait(output, std::nullopt);
  ASSERT_TRUE(end.has_value() && end->ok());
  EXPECT_EQ(**end, ProcessEnd{.kind = ProcessEndKind::cancelled});
  EXPECT_EQ((*process)->wait(output, past)->value(), **end) << "told again";
  EXPECT_EQ(output.text, "one\n");
}

TEST(RunningProcess, ACommandThatNeverPausesDoesNotHoldUpTheClock) {
  const auto process = platform::make_process_runner()->start(bash("exec yes"));
  ASSERT_TRUE(process.ok());
  RecordedOutput output;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE((*process)->wait(output, start + 50ms).has_value());
  EXPECT_LT(std::chrono::steady_clock::now() - start, k_at_once);
}

TEST(RunningProcess, DiesWithItsObject) {
  const test::TemporaryDirectory directory;
  const std::string fifo = (directory.path() / "alive").string();
  ASSERT_EQ(::mkfifo(fifo.c_str(), 0600), 0);
  const int both_ends = ::open(fifo.c_str(), O_RDWR | O_CLOEXEC);
  const int alive = ::open(fifo.c_str(), O_RDONLY | O_CLOEXEC);
  char byte = 0;
  {
    const auto process = platform::make_process_runner()->start(
        bash("trap '' TERM; exec 9>" + fifo + "; printf x >&9; setsid sleep 30 & sleep 30"));
    ASSERT_TRUE(process.ok());
    ASSERT_EQ(::read(both_ends, &byte, 1), 1);
    ::close(both_ends);
  }
  EXPECT_EQ(::read(alive, &byte, 1), 0) << "nobody holds the other end";
  ::close(alive);
}

TEST(RunningProcess, KnowsWhereTheCommandEnded) {
  const test::TemporaryDirectory directory;
  const auto ended_in = [](const ProcessSpec& spec) {
    const auto process = platform::make_process_runner()->start(spec);
    RecordedOutput output;
    [[maybe_unused]] const auto end = (*process)->wait(output, std::nullopt);
    return (*process)->final_cwd();
  };
  const std::string here = directory.path().string();
  EXPECT_EQ(ended_in(bash("cd " + here + "; (cd /usr); exit 3")), here);
  EXPECT_EQ(ended_in({.argv = {"/bin/true"}, .cwd = here, .environment = {}}), here);
  EXPECT_EQ(ended_in(bash("mkdir " + here + "/x; cd " + here + "/x; rmdir " + here + "/x")), "");
  EXPECT_EQ(ended_in({.argv = {"/no/such"}, .cwd = here, .environment = {}}), "");
}

TEST(ProcessRunner, NamesSignals) {
  EXPECT_EQ(platform::signal_name(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(platform::signal_name(SIGKILL), "SIGKILL");
  EXPECT_EQ(platform::signal_name(1234), "signal 1234");
}

std::size_t count_descriptors() {
  std::size_t count = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator("/proc/self/fd")) {
    ++count;
  }
  return count;
}

TEST(ProcessRunner, LeavesNoDescriptorsAndNoZombies) {
  const auto runner = platform::make_process_runner();
  const ProcessSpec good{.argv = {"/bin/true"}, .cwd = "/", .environment = {}};
  const ProcessSpec bad{.argv = {"/no/such"}, .cwd = "/", .environment = {}};
  const std::size_t before = count_descriptors();
  for (int i = 0; i < 100; ++i) {
    RecordedOutput output;
    EXPECT_TRUE(runner->run(good, output, CancelToken()).ok());
    EXPECT_FALSE(runner->run(bad, output, CancelToken()).ok());
  }
  EXPECT_EQ(count_descriptors(), before);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1);
  EXPECT_EQ(errno, ECHILD);
}

}  // namespace
}  // namespace yume
