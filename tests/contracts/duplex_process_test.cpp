// SPDX-License-Identifier: MIT
// The contract of platform::DuplexProcess with real children, on every system (tests/windows builds
// this file too). What only POSIX has is in duplex_process_posix_test.cpp.
#include "platform/duplex_process.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "support/duplex_children.h"

namespace yume {
namespace {

using namespace std::chrono_literals;
using platform::DuplexProcess;
using platform::DuplexSpec;
using platform::ProcessEnd;
using platform::ProcessEndKind;

namespace duplex = test::duplex;

// Far above what is measured (ms), far below what the children would take if left alone (30 s).
constexpr auto k_at_once = 10s;

std::unique_ptr<DuplexProcess> start(const DuplexSpec& spec) {
  auto started = platform::start_duplex_process(spec);
  EXPECT_TRUE(started.ok()) << started.error().message;
  return started.ok() ? std::move(started).value() : nullptr;
}

std::string read_all(DuplexProcess& process) {
  std::string all;
  std::array<char, 10'000> buffer;
  for (;;) {
    const auto got = process.read(buffer, CancelToken());
    EXPECT_TRUE(got.ok());
    if (!got.ok() || *got == 0) return all;
    all.append(buffer.data(), *got);
  }
}

// Exactly so many bytes, or what there was when the output ended.
std::string read_bytes(DuplexProcess& process, std::size_t count) {
  std::string all(count, '\0');
  std::size_t done = 0;
  while (done < count) {
    const auto got = process.read(std::span(all.data() + done, count - done), CancelToken());
    if (!got.ok() || *got == 0) break;
    done += *got;
  }
  all.resize(done);
  return all;
}

// Every byte value, in an order that does not repeat soon: nothing in between may change or go.
std::string noise(std::size_t size) {
  std::string bytes(size, '\0');
  unsigned state = 12345;
  for (char& byte : bytes) {
    state = state * 1664525U + 1013904223U;
    byte = static_cast<char>(state >> 24U);
  }
  return bytes;
}

TEST(DuplexProcess, EchoesBinaryBytesAsTheyAre) {
  const auto process = start(duplex::echoes());
  const std::string bytes("one\r\ntwo\0\x1a\x04\xff\xfe\n", 15);
  ASSERT_TRUE(process->write(bytes, CancelToken()).ok());
  EXPECT_EQ(read_bytes(*process, bytes.size()), bytes) << "while it runs";
  ASSERT_TRUE(process->write("more", CancelToken()).ok());
  process->close_stdin();
  EXPECT_EQ(read_all(*process), "more");
  EXPECT_EQ(*process->wait(CancelToken()), ProcessEnd{});
}

TEST(DuplexProcess, TenMegabytesGoBothWaysWithoutDeadlock) {
  const auto process = start(duplex::echoes());
  const std::string bytes = noise(10 << 20);
  std::thread writer([&] {
    for (std::size_t at = 0; at < bytes.size(); at += 100'000) {
      EXPECT_TRUE(process->write(std::string_view(bytes).substr(at, 100'000), {}).ok());
    }
    process->close_stdin();
  });
  const std::string echo = read_all(*process);
  writer.join();
  EXPECT_TRUE(echo == bytes) << echo.size();
  EXPECT_EQ(*process->wait(CancelToken()), ProcessEnd{});
}

TEST(DuplexProcess, OneWriteMayBeLargerThanAllBuffers) {
  const auto process = start(duplex::echoes());
  const std::string bytes = noise(10 << 20);
  ASSERT_TRUE(process->write(bytes, CancelToken()).ok());
  process->close_stdin();
  const std::string echo = read_all(*process);
  EXPECT_TRUE(echo == bytes) << echo.size();
}

TEST(DuplexProcess, WritesOfSeveralThreadsDoNotMix) {
  const auto process = start(duplex::echoes());
  constexpr std::size_t k_writers = 4;
  constexpr std::size_t k_lines = 50;
  constexpr std::size_t k_length = 20'000;
  std::vector<std::thread> writers;
  for (std::size_t i = 0; i < k_writers; ++i) {
    writers.emplace_back([&process, i] {
      const std::string line = std::string(k_length, static_cast<char>('a' + i)) + "\n";
      for (std::size_t n = 0; n < k_lines; ++n) EXPECT_TRUE(process->write(line, {}).ok());
    });
  }
  const std::string echo = read_bytes(*process, k_writers * k_lines * (k_length + 1));
  for (std::thread& writer : writers) writer.join();
  ASSERT_EQ(echo.size(), k_writers * k_lines * (k_length + 1));
  for (std::size_t at = 0; at < echo.size(); at += k_length + 1) {
    const std::string line = echo.substr(at, k_length + 1);
    EXPECT_EQ(line, std::string(k_length, line[0]) + "\n");
  }
}

TEST(DuplexProcess, CancelEndsAWriteToAChildThatNeverReads) {
  const auto process = start(duplex::never_reads());
  const std::string bytes(4 << 20, 'x');
  ASSERT_TRUE(process->write(bytes, CancelToken()).ok()) << "the first waits for nobody";
  CancelSource source;
  std::thread canceller([&] {
    EXPECT_EQ(read_bytes(*process, 5), "ready");
    source.request_stop();
  });
  const auto written = process->write(bytes, source.get_token());
  canceller.join();
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::cancelled);
}

TEST(DuplexProcess, PostNeverWaits) {
  const auto process = start(duplex::never_reads());
  const std::string bytes(30 << 20, 'x');
  EXPECT_TRUE(process->post(bytes).ok());
  EXPECT_TRUE(process->post(bytes).ok());
  const auto refused = process->post(bytes);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::busy);
  EXPECT_NE(refused.error().message.find(": it has not read "), std::string::npos);
  EXPECT_TRUE(process->post("small").ok());

  const auto echoing = start(duplex::echoes());
  EXPECT_TRUE(echoing->post("one").ok());
  EXPECT_TRUE(echoing->write("two", CancelToken()).ok());
  EXPECT_TRUE(echoing->post("three").ok());
  echoing->close_stdin();
  EXPECT_EQ(echoing->post("four").error().code, ErrorCode::io);
  EXPECT_EQ(read_all(*echoing), "onetwothree");
}

TEST(DuplexProcess, NothingOfACancelledWriteReachesTheChild) {
  const auto process = start(duplex::echoes());
  // It fills every buffer, as nobody reads the echo yet.
  const std::string first = noise(8 << 20);
  ASSERT_TRUE(process->write(first, CancelToken()).ok());
  CancelSource source;
  source.request_stop();
  EXPECT_FALSE(process->write("never", source.get_token()).ok());
  std::thread writer([&] {
    EXPECT_TRUE(process->write("last", CancelToken()).ok());
    process->close_stdin();
  });
  const std::string echo = read_all(*process);
  writer.join();
  EXPECT_TRUE(echo == first + "last") << echo.size();
}

TEST(DuplexProcess, CancelEndsAReadAndLosesNothing) {
  const auto process = start(duplex::echoes());
  CancelSource source;
  std::thread canceller([&] { source.request_stop(); });
  std::array<char, 100> buffer;
  const auto got = process->read(buffer, source.get_token());
  canceller.join();
  ASSERT_FALSE(got.ok());
  EXPECT_EQ(got.error().code, ErrorCode::cancelled);
  ASSERT_TRUE(process->write("after", CancelToken()).ok());
  EXPECT_EQ(read_bytes(*process, 5), "after");
}

TEST(DuplexProcess, CancelEndsAWait) {
  const auto process = start(duplex::never_reads());
  CancelSource source;
  std::thread canceller([&] { source.request_stop(); });
  const auto end = process->wait(source.get_token());
  canceller.join();
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().code, ErrorCode::cancelled);
}

TEST(DuplexProcess, AChildThatExitsAtOnceTellsItsCodeAndTakesNoMore) {
  const auto process = start(duplex::exits(3));
  EXPECT_EQ(*process->wait(CancelToken()),
            (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 3}));
  EXPECT_EQ(read_all(*process), "");
  const auto written = process->write("hello?", CancelToken());
  ASSERT_FALSE(written.ok());
  EXPECT_EQ(written.error().code, ErrorCode::io);
  EXPECT_EQ(written.error().message,
            "cannot write to " + duplex::exits(3).argv[0] + ": it has ended with exit code 3");
}

TEST(DuplexProcess, WritingWhileTheChildEndsFailsAndHarmsNobody) {
  for (int round = 0; round < 10; ++round) {
    const auto process = start(duplex::exits(0));
    const std::string bytes(100'000, 'x');
    // Ends by the child's end: what a dead child has not taken counts as gone, not as waiting.
    while (process->write(bytes, CancelToken()).ok()) {
    }
    EXPECT_EQ(*process->wait(CancelToken()), ProcessEnd{});
  }
}

TEST(DuplexProcess, OutputFromBeforeTheEndIsReadAfterIt) {
  const auto process = start(duplex::writes_zeros_and_exits(100'000, 4));
  EXPECT_EQ(*process->wait(CancelToken()),
            (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 4}));
  EXPECT_EQ(read_all(*process).size(), 100'000U);
  EXPECT_EQ(read_all(*process), "") << "the end stays";
}

TEST(DuplexProcess, LosesNothingOfMoreThanItsBuffers) {
  const auto process = start(duplex::writes_zeros_and_exits(5'000'000, 4));
  EXPECT_EQ(read_all(*process).size(), 5'000'000U);
  EXPECT_EQ(process->wait(CancelToken())->exit_code, 4);
}

TEST(DuplexProcess, ADescendantThatHoldsTheOutputDoesNotHoldTheReader) {
  const auto begin = std::chrono::steady_clock::now();
  const auto process = start(duplex::leaves_a_child_and_exits());
  EXPECT_EQ(read_all(*process), "hi\n");
  EXPECT_EQ(*process->wait(CancelToken()), ProcessEnd{});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, k_at_once);
}

TEST(DuplexProcess, StopClosesStdinFirst) {
  const auto process = start(duplex::echoes());
  ASSERT_TRUE(process->write("to the end", CancelToken()).ok());
  EXPECT_EQ(process->stop(k_at_once), ProcessEnd{}) << "it had its time";
  EXPECT_EQ(read_all(*process), "to the end");
  EXPECT_EQ(process->stop(0ms), ProcessEnd{}) << "again";
}

TEST(DuplexProcess, StopKillsAChildThatIgnoresAllElse) {
  const auto process = start(duplex::ignores_the_end_of_input());
  EXPECT_EQ(read_bytes(*process, 5), "ready");
  const auto begin = std::chrono::steady_clock::now();
  EXPECT_EQ(process->stop(50ms), ProcessEnd{.kind = ProcessEndKind::cancelled});
  EXPECT_LT(std::chrono::steady_clock::now() - begin, k_at_once);
  read_all(*process);
  const auto written = process->write("x", CancelToken());
  ASSERT_FALSE(written.ok());
  EXPECT_TRUE(written.error().message.ends_with(": it has been stopped"));
}

TEST(DuplexProcess, StopEndsAReadOfAnotherThread) {
  const auto process = start(duplex::never_reads());
  std::string read;
  std::thread reader([&] { read = read_all(*process); });
  process->stop(0ms);
  reader.join();
  EXPECT_TRUE(std::string_view("ready\r\n").starts_with(read.substr(0, 5))) << read;
}

TEST(DuplexProcess, TheObjectsEndIsTheChildsEnd) {
  const auto begin = std::chrono::steady_clock::now();
  start(duplex::ignores_the_end_of_input());
  start(duplex::never_reads())->close_stdin();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, k_at_once);
}

TEST(DuplexProcess, WritingBehindTheEndOfTheInputIsAnError) {
  const auto process = start(duplex::never_reads());
  process->close_stdin();
  const auto written = process->write("x", CancelToken());
  ASSERT_FALSE(written.ok());
  EXPECT_TRUE(written.error().message.ends_with(": its input is closed"));
}

TEST(DuplexProcess, NamesWhatCouldNotBeStarted) {
  const auto program = platform::start_duplex_process(duplex::missing());
  ASSERT_FALSE(program.ok());
  EXPECT_EQ(program.error().code, ErrorCode::not_found);
  EXPECT_EQ(program.error().message, duplex::k_missing_message);
  const auto directory = platform::start_duplex_process(duplex::in_missing_directory());
  ASSERT_FALSE(directory.ok());
  EXPECT_EQ(directory.error().code, ErrorCode::not_found);
  EXPECT_EQ(directory.error().message, duplex::k_missing_directory_message);
  DuplexSpec relative = duplex::echoes();
  relative.argv[0] = "cat";
  EXPECT_EQ(platform::start_duplex_process(relative).error().message,
            "cannot start cat: not an absolute path");
  EXPECT_EQ(
      platform::start_duplex_process({.argv = {}, .cwd = "/", .environment = {}}).error().message,
      "cannot start a process: no command given");
}

TEST(DuplexProcess, KeepsTheEndOfStderr) {
  const auto process = start(duplex::complains("no such option"));
  EXPECT_EQ(process->wait(CancelToken())->exit_code, 1);
  EXPECT_EQ(process->error_tail(), "no such option\n");
  EXPECT_EQ(read_all(*process), "");
}

TEST(DuplexProcess, StderrNeverHoldsTheChildUp) {
  std::mutex mutex;
  std::size_t seen = 0;
  DuplexSpec spec = duplex::floods_stderr_then_echoes(3'000'000);
  spec.on_error_output = [&](std::string_view bytes) {
    const std::lock_guard lock(mutex);
    seen += bytes.size();
  };
  const auto process = start(spec);
  ASSERT_TRUE(process->write("go", CancelToken()).ok());
  process->close_stdin();
  EXPECT_EQ(read_all(*process), "go");
  EXPECT_EQ(*process->wait(CancelToken()), ProcessEnd{});
  EXPECT_EQ(process->error_tail(), "last words\n") << "bounded, and whole lines";
  const std::lock_guard lock(mutex);
  EXPECT_EQ(seen, 3'000'000 + std::string_view("\nlast words\n").size());
}

TEST(DuplexProcess, NoChildHoldsTheInputOfAnother) {
  const auto first = start(duplex::echoes());
  const auto second = start(duplex::never_reads());
  const auto third = start(duplex::echoes());
  EXPECT_EQ(read_bytes(*second, 5), "ready");
  first->close_stdin();
  third->close_stdin();
  EXPECT_EQ(*first->wait(CancelToken()), ProcessEnd{}) << "it saw the end of its input";
  EXPECT_EQ(*third->wait(CancelToken()), ProcessEnd{});
}

TEST(DuplexProcess, ManyChildrenAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::string> echoes(16);
  for (std::size_t i = 0; i < echoes.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 3; ++round) {
        const auto process = start(duplex::echoes());
        ASSERT_TRUE(process->write(std::to_string(i), CancelToken()).ok());
        process->close_stdin();
        echoes[i] += read_all(*process) + "\n";
        EXPECT_EQ(process->stop(k_at_once), ProcessEnd{});
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < echoes.size(); ++i) {
    const std::string line = std::to_string(i) + "\n";
    EXPECT_EQ(echoes[i], line + line + line);
  }
}

}  // namespace
}  // namespace yume
