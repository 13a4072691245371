// SPDX-License-Identifier: MIT
// The shell that is found on this system, and commands that go through it. Which shell is chosen
// when is in tests/unit/platform/windows_shell_test.cpp.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "platform/command_system.h"
#include "platform/file_system.h"
#include "platform/process.h"
#include "support/run_command.h"
#include "windows/actor.h"

namespace yume {
namespace {

using platform::CommandShell;
using platform::ProcessEnd;
using platform::ProcessEndKind;
using platform::ShellKind;

test::Ran run_in(const CommandShell& shell, const std::string& command) {
  const auto told = platform::shell_command(shell, command);
  platform::ProcessSpec spec = test::actor({});
  spec.argv = told.argv;
  spec.input = told.input;
  return test::run(spec);
}

const CommandShell k_cmd{ShellKind::cmd, R"(C:\windows\system32\cmd.exe)"};

TEST(WindowsShell, CmdGetsTheCommandAsItStands) {
  const auto ran = run_in(k_cmd, R"(echo "a b" c&echo d & exit 3)");
  EXPECT_EQ(ran.end, (ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = 3}));
  EXPECT_EQ(ran.output, "\"a b\" c\r\nd \r\n");
}

TEST(WindowsShell, CmdRunsEveryLine) {
  EXPECT_EQ(run_in(k_cmd, "echo one\r\n\necho two\n").output, "one \r\ntwo\r\n");
}

struct Moved {
  std::string output;
  int exit_code = 0;
  std::filesystem::path directory;
};

Moved move_in(const std::filesystem::path& folder, const std::string& command) {
  const auto told = platform::shell_command(k_cmd, command, platform::DirectoryReport::wanted);
  platform::ProcessSpec spec = test::actor({});
  spec.argv = told.argv;
  spec.cwd = folder;
  spec.shell_reports_directory = true;
  const auto runner = platform::make_process_runner();
  const auto process = runner->start(spec);
  EXPECT_TRUE(process.ok()) << process.error().message;
  test::RecordedOutput output;
  const auto end = (*process)->wait(output, std::nullopt);
  return {
      .output = output.text, .exit_code = (*end)->exit_code, .directory = (*process)->final_cwd()};
}

TEST(WindowsShell, CmdReportsWhereItEnds) {
  const test::TemporaryFolder folder;
  const auto real = *platform::make_system_file_system()->real_path(folder.path());
  const auto sub = real / u8"a b é";
  std::filesystem::create_directories(sub);
  EXPECT_EQ(move_in(real, R"(cd "a b é")").directory, sub);
  const Moved failed = move_in(real, R"(cd "A B é" & echo here& cmd /c exit 7)");
  EXPECT_EQ(failed.directory, sub) << "named as the folder is";
  EXPECT_EQ(failed.exit_code, 7);
  EXPECT_EQ(failed.output, "here\r\n");
  EXPECT_EQ(move_in(real, "cd nowhere").exit_code, 1);
  EXPECT_EQ(move_in(real, "echo hi").directory, "") << "it did not say so";
  EXPECT_EQ(move_in(real, R"(cd "a b é" & rmdir "..\a b é")").directory, sub)
      << "a folder in use stays";
}

// A report is no more than what a command may have written there.
TEST(WindowsShell, AReportIsNotBelieved) {
  const test::TemporaryFolder folder;
  for (const char* path :
       {R"(\\server\share)", R"(\\?\C:\windows)", "windows", R"(C:\not\there)", "NUL"}) {
    const auto moved = move_in(folder.path(), "cd . >NUL & echo " + std::string(path) +
                                                  R"(>"%YUME_DIRECTORY_REPORT%"& exit 0)");
    EXPECT_EQ(moved.directory, "") << path;
  }
}

TEST(WindowsShell, CmdStartsProgramsInPlacesWithSpaces) {
  const test::TemporaryFolder folder;
  const auto program = folder.path() / "with space.exe";
  std::filesystem::copy_file(test::actor_path(), program);
  const auto ran = run_in(k_cmd, "\"" + test::utf8(program) + R"(" arguments "x y" z)");
  EXPECT_EQ(ran.output, "[x y]\n[z]\n");
}

TEST(WindowsShell, GitBashBesideGitIsFoundAndGetsTheCommandUnchanged) {
  const test::TemporaryFolder folder;
  const auto git = folder.path() / "Git";
  std::filesystem::create_directories(git / "cmd");
  std::filesystem::create_directories(git / "bin");
  std::filesystem::copy_file(test::actor_path(), git / "cmd" / "git.exe");
  std::filesystem::copy_file(test::actor_path(), git / "bin" / "bash.exe");
  platform::Environment environment;
  environment.variables = {{"Path", R"(C:\windows;)" + test::utf8(git / "cmd")}};
  const auto system = platform::command_system(environment);
  ASSERT_EQ(system.shell,
            (CommandShell{ShellKind::git_bash, test::utf8(git / "bin" / "bash.exe")}));
  const std::string command = "printf 'a\\\\b' \"$x\"\n" + std::string(200'000, '#') + "\necho ü";
  EXPECT_EQ(run_in(system.shell, command).output,
            "[--noprofile]\n[--norc]\n[-c]\n"
            "[IFS= read -r -d '' yume_command; eval \"$yume_command\"]\n" +
                command);
}

TEST(WindowsShell, KnowsWhatProgramsNeedHere) {
  platform::Environment environment;
  environment.home = R"(C:\users\u)";
  const auto system = platform::command_system(environment);
  EXPECT_TRUE(system.variables_ignore_case);
  EXPECT_TRUE(std::filesystem::is_directory(system.default_variables.at("SystemRoot")));
  EXPECT_TRUE(std::filesystem::is_regular_file(system.default_variables.at("ComSpec")));
  EXPECT_TRUE(std::filesystem::is_directory(system.default_variables.at("TEMP")));
  EXPECT_EQ(system.default_variables.at("USERPROFILE"), R"(C:\users\u)");
  EXPECT_TRUE(std::filesystem::is_regular_file(system.shell.path)) << system.shell.path;
}

}  // namespace
}  // namespace yume
