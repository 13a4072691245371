// SPDX-License-Identifier: MIT
// The contract of platform::ProcessRunner on Windows: what commands are given, how their end is
// told. Cases with the names of tests/contracts/process_test.cpp assert the same. That nothing
// survives is in process_tree_test.cpp.
#include "platform/process.h"

#include <gtest/gtest.h>
#include <windows.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "platform/handle_win32.h"
#include "support/run_command.h"
#include "windows/actor.h"
#include "windows/roll_call.h"

namespace yume {
namespace {

using namespace std::chrono_literals;
using platform::Handle;
using platform::ProcessEnd;
using platform::ProcessEndKind;
using platform::ProcessSpec;
using test::actor;
using test::actor_path;
using test::RecordedOutput;
using test::run;

// Far above what is measured (ms), far below what the commands would take if left alone (30 s).
constexpr auto k_at_once = 10s;

TEST(ProcessRunner, TellsExitCodeAndOutputOfBothStreamsInOrder) {
  const auto ran = run(actor({"out:one", "err:two", "out:three", "exit:7"}));
  EXPECT_EQ(ran.end, (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 7}));
  EXPECT_EQ(ran.output, "one\ntwo\nthree\n");
}

TEST(ProcessRunner, KeepsStderrApartWhenAskedTo) {
  ProcessSpec spec = actor({"out:one", "err:two", "out:three", "err:four", "exit:7"});
  spec.stderr_mode = platform::StderrMode::apart;
  const auto ran = run(spec);
  EXPECT_EQ(ran.end, (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 7}));
  EXPECT_EQ(ran.output, "one\nthree\n");
  EXPECT_EQ(ran.error_output, "two\nfour\n");
}

TEST(ProcessRunner, LosesNothingOfTwoFullStreams) {
  ProcessSpec spec = actor({"zeros:300000", "errzeros:400000"});
  spec.stderr_mode = platform::StderrMode::apart;
  const auto ran = run(spec);
  EXPECT_EQ(ran.output.size(), 300'000U);
  EXPECT_EQ(ran.error_output.size(), 400'000U);
}

TEST(ProcessRunner, DeliversLargeOutputWhole) {
  const auto ran = run(actor({"zeros:5000000", "out:end"}));
  EXPECT_EQ(ran.output.size(), 5'000'004U);
  EXPECT_EQ(ran.output.substr(5'000'000), "end\n");
}

TEST(ProcessRunner, TellsCodesOf32Bits) {
  const auto large = run(actor({"exit:0xFFFFFFFF"}));
  EXPECT_EQ(large.end, (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = -1}));
  const auto crash = run(actor({"out:before", "crash"}));
  EXPECT_EQ(crash.end.kind, ProcessEndKind::exited);
  EXPECT_EQ(platform::exit_code_text(crash.end.exit_code), "0xC0000005 (access violation)");
  EXPECT_TRUE(crash.output.starts_with("before\n")) << crash.output;
}

TEST(ProcessRunner, GivesExactlyTheArgumentsVariablesAndDirectory) {
  const test::TemporaryFolder folder;
  const std::vector<std::string> odd = {
      "a b",          "",          R"(say "hi")",           R"(end\)",   R"(a\\b)", R"(\"x\\")",
      "$x %PATH% ^&", "tab\there", "é日本\xF0\x9F\x98\x80", "two\nlines"};
  std::vector<std::string> arguments = {"arguments"};
  std::string expected;
  for (const std::string& argument : odd) {
    arguments.push_back(argument);
    expected += "[" + argument + "]\n";
  }
  EXPECT_EQ(run(actor(arguments)).output, expected);

  ProcessSpec variables = actor({"environment"});
  variables.environment = {"b=x=y", "A=1", "ü=日本", "C=old", "c=new"};
  ::SetEnvironmentVariableW(L"YUME_TEST_OF_THE_PARENT", L"1");
  const std::string shown = run(variables).output;
  // wine adds variables of its own behind them.
  EXPECT_TRUE(shown.starts_with("A=1\nb=x=y\nc=new\nü=日本\n")) << shown;
  EXPECT_EQ(shown.find("YUME_TEST_OF_THE_PARENT"), std::string::npos) << shown;

  const auto inside = folder.path() / L"mit Ümläut";
  std::filesystem::create_directory(inside);
  ProcessSpec where = actor({"directory"});
  where.cwd = inside;
  EXPECT_EQ(run(where).output, test::utf8(inside) + "\n");
}

TEST(ProcessRunner, AnEmptyEnvironmentIsNotThatOfTheParent) {
  ::SetEnvironmentVariableW(L"YUME_TEST_OF_THE_PARENT", L"1");
  ProcessSpec spec = actor({"environment"});
  spec.environment = {};
  EXPECT_EQ(run(spec).output.find("YUME_TEST_OF_THE_PARENT"), std::string::npos);
}

// Six folders inside each other, too long for calls without the prefix: those of the C++ library
// could not remove them.
class DeepFolders {
 public:
  explicit DeepFolders(const std::filesystem::path& folder) {
    std::wstring path = LR"(\\?\)" + folder.wstring();
    for (int i = 0; i < 6; ++i) {
      path += L"\\" + std::wstring(60, L'd');
      ::CreateDirectoryW(path.c_str(), nullptr);
      paths_.push_back(path);
    }
  }
  DeepFolders(const DeepFolders&) = delete;
  DeepFolders& operator=(const DeepFolders&) = delete;
  ~DeepFolders() {
    for (; !paths_.empty(); paths_.pop_back()) ::RemoveDirectoryW(paths_.back().c_str());
  }
  const std::wstring& deepest() const { return paths_.back(); }

 private:
  std::vector<std::wstring> paths_;
};

TEST(ProcessRunner, WorksInDirectoriesWithLongPaths) {
  const test::TemporaryFolder folder;
  const DeepFolders folders(folder.path());
  const Handle mark(::CreateFileW((folders.deepest() + L"\\mark").c_str(), GENERIC_WRITE,
                                  FILE_SHARE_DELETE, nullptr, CREATE_NEW, FILE_FLAG_DELETE_ON_CLOSE,
                                  nullptr));
  ASSERT_TRUE(mark.is_open());
  ProcessSpec spec = actor({"directory"});
  spec.cwd = folders.deepest().substr(4);
  std::string shown = run(spec).output;
  shown.pop_back();
  EXPECT_LT(shown.size(), 260U) << shown;
  EXPECT_NE(::GetFileAttributesW((*platform::to_wide(shown) + L"\\mark").c_str()),
            INVALID_FILE_ATTRIBUTES)
      << shown;
}

TEST(ProcessRunner, HasNoInputAndNoTerminal) {
  EXPECT_EQ(run(actor({"input"})).output, "end of input\n");
  EXPECT_EQ(run(actor({"console"})).output, "no console of others\n");
}

std::size_t count_temporary_files() {
  std::wstring folder(MAX_PATH + 1, L'\0');
  folder.resize(::GetTempPathW(static_cast<DWORD>(folder.size()), folder.data()));
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().filename().wstring().starts_with(L"yum")) ++count;
  }
  return count;
}

TEST(ProcessRunner, GivesTheCommandItsInputAndItsEnd) {
  const std::size_t before = count_temporary_files();
  ProcessSpec spec = actor({"copy", "input"});
  spec.input = std::string("one\r\ntwo\0three\x1a", 16) + "\n";
  EXPECT_EQ(run(spec).output, spec.input + "end of input\n");
  // More than a pipe holds, for a command that takes none of it.
  spec = actor({"out:ready"});
  spec.input.assign(4 << 20, 'x');
  EXPECT_EQ(run(spec).output, "ready\n");
  spec = actor({"copy"});
  spec.input.assign(4 << 20, 'x');
  EXPECT_EQ(run(spec).output.size(), spec.input.size());
  EXPECT_EQ(count_temporary_files(), before);
}

TEST(ProcessRunner, PassesOnNoHandles) {
  SECURITY_ATTRIBUTES inheritable{sizeof inheritable, nullptr, TRUE};
  const Handle event(::CreateEventW(&inheritable, TRUE, FALSE, nullptr));
  const std::string number = std::to_string(reinterpret_cast<std::uintptr_t>(event.get()));
  run(actor({"raise:" + number}));
  EXPECT_EQ(::WaitForSingleObject(event.get(), 0), static_cast<DWORD>(WAIT_TIMEOUT));

  // It would have been raised by a process that inherits as usual.
  std::wstring line = *platform::to_wide("\"" + actor_path() + "\" raise:" + number);
  STARTUPINFOW startup{};
  startup.cb = sizeof startup;
  PROCESS_INFORMATION started{};
  ASSERT_TRUE(::CreateProcessW(nullptr, line.data(), nullptr, nullptr, TRUE, 0, nullptr, nullptr,
                               &startup, &started));
  const Handle thread(started.hThread);
  const Handle process(started.hProcess);
  ::WaitForSingleObject(process.get(), INFINITE);
  EXPECT_EQ(::WaitForSingleObject(event.get(), 0), WAIT_OBJECT_0);
}

std::string failure(const ProcessSpec& spec) {
  RecordedOutput output;
  const auto end = platform::make_process_runner()->run(spec, output, CancelToken());
  EXPECT_EQ(output.text, "");
  return end ? "ran" : end.error().message;
}

TEST(ProcessRunner, NamesWhatCouldNotBeStarted) {
  const test::TemporaryFolder folder;
  const std::string text_file = test::utf8(folder.path() / "text.exe");
  std::ofstream(folder.path() / "text.exe") << "this is not a program";
  const auto message = [](std::vector<std::string> argv, const std::filesystem::path& cwd) {
    return failure({.argv = std::move(argv), .cwd = cwd, .environment = {}});
  };
  EXPECT_EQ(message({R"(C:\no\such.exe)"}, R"(C:\)"),
            R"(cannot start C:\no\such.exe: no such file or directory)");
  EXPECT_EQ(message({actor_path()}, R"(C:\no\dir)"),
            R"(cannot work in C:\no\dir: no such file or directory)");
  EXPECT_EQ(message({actor_path()}, folder.path() / "text.exe"),
            "cannot work in " + text_file + ": not a directory");
  EXPECT_EQ(message({text_file}, R"(C:\)"),
            "cannot start " + text_file + ": not a program for this system");
  EXPECT_EQ(message({"actor.exe"}, R"(C:\)"), "cannot start actor.exe: not an absolute path");
  EXPECT_EQ(message({}, R"(C:\)"), "cannot start a process: no command given");
  EXPECT_EQ(message({R"(C:\x.CMD)", "a"}, R"(C:\)"),
            R"(cannot start C:\x.CMD: a batch file; run it with cmd.exe)");
  EXPECT_EQ(message({R"(C:\x.exe)", std::string("a\0b", 3)}, R"(C:\)"),
            R"(cannot start C:\x.exe: NUL byte in an argument)");
  EXPECT_EQ(message({R"(C:\x.exe)", "\xff"}, R"(C:\)"),
            R"(cannot start C:\x.exe: an argument is not UTF-8)");
  EXPECT_EQ(message({R"(C:\x.exe)", std::string(40'000, 'x')}, R"(C:\)"),
            R"(cannot start C:\x.exe: argument list too long)");
}

TEST(ProcessRunner, AMissingProgramIsNotFound) {
  RecordedOutput output;
  const auto end = platform::make_process_runner()->run(
      {.argv = {R"(C:\no\such.exe)"}, .cwd = R"(C:\)", .environment = {}}, output, CancelToken());
  ASSERT_FALSE(end.ok());
  EXPECT_EQ(end.error().code, ErrorCode::not_found);
}

TEST(ProcessRunner, DoesNotStartWhenAlreadyCancelled) {
  CancelSource source;
  source.request_stop();
  const auto ran = run(actor({"out:started"}), source.get_token());
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::cancelled});
  EXPECT_EQ(ran.output, "");
}

TEST(ProcessRunner, CancelFromAnotherThread) {
  CancelSource source;
  std::thread canceller;
  const auto ran = run(actor({"out:ready", "stay"}), source.get_token(), [&](const std::string&) {
    canceller = std::thread([&] { source.request_stop(); });
  });
  canceller.join();
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::cancelled});
  EXPECT_EQ(ran.output, "ready\n");
  EXPECT_LT(ran.took, k_at_once);
}

TEST(ProcessRunner, CancelAfterTheEndChangesNothing) {
  CancelSource source;
  const auto ran = run(actor({"exit:3"}), source.get_token());
  source.request_stop();
  EXPECT_EQ(ran.end, (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 3}));
}

TEST(ProcessRunner, TimeoutKillsTheCommand) {
  auto spec = actor({"out:ready", "stay"});
  spec.timeout = 1500ms;
  const auto ran = run(spec);
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::timed_out});
  EXPECT_EQ(ran.output, "ready\n");
  EXPECT_GE(ran.took, 1500ms);
  EXPECT_LT(ran.took, 1500ms + k_at_once);
}

TEST(ProcessRunner, TheTimeoutHoldsWhileTheReaderIsBusy) {
  // The command fills the pipe and the sink does not come back until the command is dead.
  test::RollCall roll;
  std::thread meeting([&] { EXPECT_TRUE(roll.wait_for(1)); });
  auto spec = actor({"report:" + roll.name(), "flood"});
  spec.timeout = 2s;
  bool waited = false;
  const auto ran = run(spec, CancelToken(), [&](const std::string&) {
    if (waited) return;
    waited = true;
    meeting.join();
    EXPECT_EQ(roll.count_living(20s), 0U);
  });
  EXPECT_EQ(ran.end, ProcessEnd{.kind = ProcessEndKind::timed_out});
  EXPECT_TRUE(waited);
}

TEST(ProcessRunner, SixteenThreadsAtOnce) {
  std::vector<std::thread> threads;
  std::vector<std::string> outputs(16);
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 2; ++round) {
        outputs[i] += run(actor({"child", "out:" + std::to_string(i)})).output;
      }
    });
  }
  for (auto& thread : threads) thread.join();
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const std::string line = std::to_string(i) + "\n";
    EXPECT_EQ(outputs[i], line + line);
  }
}

TEST(RunningProcess, CanBeLookedAfterNowAndThen) {
  const auto process = platform::make_process_runner()->start(actor({"out:one", "stay", "out:2"}));
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
  EXPECT_EQ((*process)->final_cwd(), "");
}

TEST(RunningProcess, LosesNothingWhenAThreadThatWaitedIsGone) {
  const std::string gate = "yume-test-thread-" + std::to_string(::GetCurrentProcessId());
  const Handle event(::CreateEventA(nullptr, TRUE, FALSE, gate.c_str()));
  const auto process = platform::make_process_runner()->start(
      actor({"out:one", "wait:" + gate, "out:two", "exit:4"}));
  ASSERT_TRUE(process.ok());
  RecordedOutput output;
  std::thread first([&] {
    while (output.text.empty()) {
      EXPECT_FALSE((*process)->wait(output, std::chrono::steady_clock::now() + 10ms).has_value());
    }
    // Leaves a read under way.
    EXPECT_FALSE((*process)->wait(output, std::chrono::steady_clock::now()).has_value());
  });
  first.join();
  ::SetEvent(event.get());
  const auto end = (*process)->wait(output, std::nullopt);
  EXPECT_EQ(end->value(), (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 4}));
  EXPECT_EQ(output.text, "one\ntwo\n");
}

TEST(RunningProcess, ACommandThatNeverPausesDoesNotHoldUpTheClock) {
  const auto process = platform::make_process_runner()->start(actor({"flood"}));
  ASSERT_TRUE(process.ok());
  RecordedOutput output;
  const auto start = std::chrono::steady_clock::now();
  EXPECT_FALSE((*process)->wait(output, start + 50ms).has_value());
  EXPECT_LT(std::chrono::steady_clock::now() - start, k_at_once);
}

DWORD count_handles() {
  DWORD count = 0;
  ::GetProcessHandleCount(::GetCurrentProcess(), &count);
  return count;
}

TEST(ProcessRunner, LeavesNoHandles) {
  const auto runner = platform::make_process_runner();
  const ProcessSpec good = actor({});
  const ProcessSpec bad{.argv = {R"(C:\no\such.exe)"}, .cwd = R"(C:\)", .environment = {}};
  const auto both = [&] {
    RecordedOutput output;
    EXPECT_TRUE(runner->run(good, output, CancelToken()).ok());
    EXPECT_FALSE(runner->run(bad, output, CancelToken()).ok());
  };
  both();  // what the system opens once
  const DWORD before = count_handles();
  for (int i = 0; i < 10; ++i) both();
  EXPECT_EQ(count_handles(), before);
}

}  // namespace
}  // namespace yume
