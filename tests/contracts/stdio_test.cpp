// SPDX-License-Identifier: MIT
// The contract of the standard streams, on pipes of the test's own.
#include "platform/stdio.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <string>
#include <thread>

#if defined(__linux__)
#include <sys/prctl.h>
#endif

#include "support/forked.h"
#include "util/thread.h"

namespace yume {
namespace {

struct TestPipe {
  TestPipe() { EXPECT_EQ(::pipe(ends.data()), 0); }
  TestPipe(const TestPipe&) = delete;
  TestPipe& operator=(const TestPipe&) = delete;
  ~TestPipe() {
    close_reader();
    close_writer();
  }
  void close_reader() { close_end(ends[0]); }
  void close_writer() { close_end(ends[1]); }
  static void close_end(int& fd) {
    if (fd >= 0) ::close(fd);
    fd = -1;
  }
  std::string read_all() const {
    std::string all;
    std::array<char, 4096> buffer;
    ssize_t got = 0;
    while ((got = ::read(ends[0], buffer.data(), buffer.size())) > 0) {
      all.append(buffer.data(), static_cast<std::size_t>(got));
    }
    return all;
  }

  std::array<int, 2> ends{};
};

// Puts a pipe in place of stdin for one scope.
class StdinFrom {
 public:
  explicit StdinFrom(int fd) : saved_(::dup(STDIN_FILENO)) { ::dup2(fd, STDIN_FILENO); }
  StdinFrom(const StdinFrom&) = delete;
  StdinFrom& operator=(const StdinFrom&) = delete;
  ~StdinFrom() {
    ::dup2(saved_, STDIN_FILENO);
    ::close(saved_);
  }

 private:
  int saved_;
};

TEST(StdoutStream, WaitsForASlowReaderOfANonBlockingPipe) {
  TestPipe pipe;
  const std::string large(1 << 20, 'x');
  test::Forked writer([&] {
    pipe.close_reader();
    ::dup2(pipe.ends[1], STDOUT_FILENO);
    ::fcntl(STDOUT_FILENO, F_SETFL, O_NONBLOCK);
    return platform::stdout_stream()->write(large).ok() ? 0 : 1;
  });
  pipe.close_writer();
  EXPECT_EQ(pipe.read_all(), large);
  EXPECT_EQ(writer.wait(), 0);
}

TEST(StdoutStream, AGoneReaderIsAnError) {
  TestPipe pipe;
  pipe.close_reader();
  EXPECT_EQ(test::exit_code_of([&] {
              ::dup2(pipe.ends[1], STDOUT_FILENO);
              platform::prepare_process();
              const auto written = platform::stdout_stream()->write("x");
              if (written || written.error().code != ErrorCode::io) return 1;
              return written.error().message == "cannot write to stdout: broken pipe" ? 0 : 2;
            }),
            0);
}

TEST(StdoutStream, AFullDeviceIsAnError) {
  EXPECT_EQ(test::exit_code_of([] {
              ::dup2(::open("/dev/full", O_WRONLY), STDOUT_FILENO);
              const auto written = platform::stdout_stream()->write("x");
              return !written && written.error().code == ErrorCode::io ? 0 : 1;
            }),
            0);
}

TEST(StderrStream, DropsWhatAFullPipeCannotTake) {
  const TestPipe pipe;  // never read
  EXPECT_EQ(test::exit_code_of([&] {
              ::dup2(pipe.ends[1], STDERR_FILENO);
              const auto stream = platform::stderr_stream();
              const std::string large(1 << 20, 'x');
              return stream->write(large).ok() && stream->write("more").ok() ? 0 : 1;
            }),
            0);
}

TEST(StderrStream, WritesWhatFits) {
  TestPipe pipe;
  const std::string text(20'000, 'x');
  EXPECT_EQ(test::exit_code_of([&] {
              ::dup2(pipe.ends[1], STDERR_FILENO);
              return platform::stderr_stream()->write(text).ok() ? 0 : 1;
            }),
            0);
  pipe.close_writer();
  EXPECT_EQ(pipe.read_all(), text);
}

TEST(StderrStream, SurvivesAClosedStream) {
  EXPECT_EQ(test::exit_code_of([] {
              ::close(STDERR_FILENO);
              return platform::stderr_stream()->write("x").ok() ? 0 : 1;
            }),
            0);
}

TEST(StdinStream, ReadsUntilTheEnd) {
  TestPipe pipe;
  const StdinFrom redirected(pipe.ends[0]);
  const auto input = platform::stdin_stream();
  ASSERT_EQ(::write(pipe.ends[1], "hello", 5), 5);
  std::array<char, 64> buffer;
  auto got = input->read(buffer, CancelToken());
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(std::string_view(buffer.data(), *got), "hello");
  pipe.close_writer();
  got = input->read(buffer, CancelToken());
  ASSERT_TRUE(got.ok());
  EXPECT_EQ(*got, 0U);
}

TEST(StdinStream, CancelWakesABlockedReadAndTheNextReadWorks) {
  const TestPipe pipe;
  const StdinFrom redirected(pipe.ends[0]);
  const auto input = platform::stdin_stream();
  std::array<char, 64> buffer;
  for (int i = 0; i < 3; ++i) {
    CancelSource source;
    ErrorCode code{};
    std::thread reader([&] { code = input->read(buffer, source.get_token()).error().code; });
    source.request_stop();
    reader.join();
    EXPECT_EQ(code, ErrorCode::cancelled);
    ASSERT_EQ(::write(pipe.ends[1], "x", 1), 1);
    const auto got = input->read(buffer, CancelToken());
    ASSERT_TRUE(got.ok());
    EXPECT_EQ(*got, 1U);
  }
}

bool is_null_device(int fd) {
  struct stat opened {};
  struct stat null {};
  return ::fstat(fd, &opened) == 0 && ::stat("/dev/null", &null) == 0 &&
         opened.st_rdev == null.st_rdev;
}

TEST(PrepareProcess, ReopensClosedStreams) {
  EXPECT_EQ(test::exit_code_of([] {
              for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) ::close(fd);
              platform::prepare_process();
              for (const int fd : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
                if (!is_null_device(fd)) return 1;
              }
              return ::dup(STDIN_FILENO) > STDERR_FILENO ? 0 : 2;
            }),
            0);
}

bool is_dumpable() {
#if defined(__linux__)
  return ::prctl(PR_GET_DUMPABLE, 0, 0, 0, 0) != 0;
#else
  return false;
#endif
}

int prepare_after_a_careless_parent() {
  sigset_t all;
  sigfillset(&all);
  ::sigprocmask(SIG_SETMASK, &all, nullptr);
  ::signal(SIGCHLD, SIG_IGN);
  platform::prepare_process();
  sigset_t mask;
  ::sigprocmask(SIG_SETMASK, nullptr, &mask);
  if (sigismember(&mask, SIGTERM) != 0 || sigismember(&mask, SIGINT) != 0) return 1;
  struct sigaction child {};
  ::sigaction(SIGCHLD, nullptr, &child);
  if (child.sa_handler != SIG_DFL) return 2;
  rlimit core{};
  ::getrlimit(RLIMIT_CORE, &core);
  if (core.rlim_cur != 0) return 3;
  return is_dumpable() ? 4 : 0;
}

TEST(PrepareProcess, ResetsSignalsAndForbidsInspection) {
  EXPECT_EQ(test::exit_code_of(prepare_after_a_careless_parent), 0);
}

TEST(IsTerminal, APipeIsNone) {
  const TestPipe pipe;
  const StdinFrom redirected(pipe.ends[0]);
  EXPECT_FALSE(platform::is_terminal(platform::StandardStream::input));
}

// With a pipe as stdout, in a process of its own.
bool notices(TestPipe& pipe, const CancelToken& cancel) {
  ::dup2(pipe.ends[1], STDOUT_FILENO);
  pipe.close_writer();
  return platform::wait_for_lost_reader(cancel);
}

TEST(Stdout, TellsWhenItsReaderGoesAway) {
  EXPECT_EQ(test::exit_code_of([] {
              TestPipe pipe;
              const Thread reader([&pipe] { pipe.close_reader(); });
              return notices(pipe, {}) ? 0 : 1;
            }),
            0);
}

TEST(Stdout, IsNotWatchedAnyLongerThanAsked) {
  EXPECT_EQ(test::exit_code_of([] {
              TestPipe pipe;
              CancelSource source;
              const Thread canceller([&source] { source.request_stop(); });
              return notices(pipe, source.get_token()) ? 1 : 0;
            }),
            0);
}

}  // namespace
}  // namespace yume
