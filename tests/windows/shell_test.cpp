// SPDX-License-Identifier: MIT
// The shell that is found on this system, and commands that go through it. Which shell is chosen
// when is in tests/unit/platform/windows_shell_test.cpp.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "platform/command_system.h"
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
