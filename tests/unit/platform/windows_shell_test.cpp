// SPDX-License-Identifier: MIT
#include "platform/windows_shell.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

namespace yume::platform {
namespace {

struct Machine {
  Variables variables;
  std::set<std::string> files;
  std::string home = R"(C:\Users\u)";

  CommandSystem system() const {
    return windows_command_system(
        {.variables = variables,
         .windows_directory = R"(C:\Windows)",
         .temporary_directory = R"(C:\Users\u\AppData\Local\Temp)",
         .home = home,
         .is_file = [this](const std::string& path) { return files.contains(path); }});
  }
  CommandShell shell() const { return system().shell; }
};

CommandShell git_bash(std::string path) {
  return {ShellKind::git_bash, std::move(path)};
}

CommandShell powershell(std::string path) {
  return {ShellKind::powershell, std::move(path)};
}

TEST(WindowsShell, TakesTheNamedGitBashAtItsWord) {
  Machine machine{.variables = {{"YUME_GIT_BASH_PATH", R"(D:\ours\bash.exe)"},
                                {"CLAUDE_CODE_GIT_BASH_PATH", R"(D:\claude\bash.exe)"},
                                {"ProgramFiles", R"(C:\Program Files)"}},
                  .files = {R"(C:\Program Files\Git\bin\bash.exe)"}};
  EXPECT_EQ(machine.shell(), git_bash(R"(D:\ours\bash.exe)"))
      << "starting it will say that it is not there";
  machine.variables["YUME_GIT_BASH_PATH"] = "";
  EXPECT_EQ(machine.shell(), git_bash(R"(D:\claude\bash.exe)"));
  machine.variables["CLAUDE_CODE_GIT_BASH_PATH"] = R"("D:\with quotes\bash.exe")";
  EXPECT_EQ(machine.shell(), git_bash(R"(D:\with quotes\bash.exe)"));
}

TEST(WindowsShell, FindsGitBashBesideTheGitOfThePath) {
  for (const char* folder : {R"(E:\Git\cmd)", R"(E:\Git\bin)", R"(E:\Git\mingw64\bin)",
                             R"(E:\Git\cmd\)", R"("E:\Git\cmd")"}) {
    std::string plain = folder;
    std::erase(plain, '"');
    if (!plain.ends_with('\\')) plain += '\\';
    const Machine machine{
        .variables = {{"Path", std::string(R"(C:\Windows;;relative;)") + folder}},
        .files = {plain + "git.exe", R"(E:\Git\bin\bash.exe)", R"(E:\Git\usr\bin\bash.exe)"}};
    EXPECT_EQ(machine.shell(), git_bash(R"(E:\Git\bin\bash.exe)")) << folder;
  }
}

TEST(WindowsShell, FindsTheBashOfASmallGit) {
  const Machine machine{.variables = {{"PATH", R"(E:\Git\cmd)"}},
                        .files = {R"(E:\Git\cmd\git.exe)", R"(E:\Git\usr\bin\bash.exe)"}};
  EXPECT_EQ(machine.shell(), git_bash(R"(E:\Git\usr\bin\bash.exe)"));
}

TEST(WindowsShell, LooksOnWhenTheGitOfThePathHasNoBash) {
  const Machine machine{
      .variables = {{"PATH", R"(C:\shims;E:\Git\cmd)"}},
      .files = {R"(C:\shims\git.exe)", R"(E:\Git\cmd\git.exe)", R"(E:\Git\bin\bash.exe)"}};
  EXPECT_EQ(machine.shell(), git_bash(R"(E:\Git\bin\bash.exe)"));
}

TEST(WindowsShell, FindsGitBashWhereItsInstallerPutsIt) {
  const Variables variables = {{"PROGRAMFILES", R"(C:\Program Files)"},
                               {"ProgramFiles(x86)", R"(C:\Program Files (x86))"},
                               {"LocalAppData", R"(C:\Users\u\AppData\Local)"}};
  for (const char* bash :
       {R"(C:\Program Files\Git\bin\bash.exe)", R"(C:\Program Files (x86)\Git\bin\bash.exe)",
        R"(C:\Users\u\AppData\Local\Programs\Git\bin\bash.exe)"}) {
    const Machine machine{.variables = variables, .files = {bash}};
    EXPECT_EQ(machine.shell(), git_bash(bash));
  }
}

TEST(WindowsShell, NeverTakesTheBashOfWsl) {
  Machine machine{.variables = {{"PATH", R"(C:\Windows\System32)"},
                                {"YUME_GIT_BASH_PATH", R"(C:\WINDOWS\system32\bash.exe)"},
                                {"CLAUDE_CODE_GIT_BASH_PATH",
                                 R"(C:\Users\u\AppData\Local\Microsoft\WindowsApps\bash.exe)"}},
                  .files = {R"(C:\Windows\System32\bash.exe)", R"(C:\Windows\System32\cmd.exe)"}};
  EXPECT_EQ(machine.shell(), (CommandShell{ShellKind::cmd, R"(C:\Windows\System32\cmd.exe)"}));
}

TEST(WindowsShell, FallsBackToPowerShellAndThenToCmd) {
  const std::string built_in = R"(C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe)";
  Machine machine{.variables = {{"PATH", R"(.;C:\tools)"}, {"ProgramFiles", R"(C:\Program Files)"}},
                  .files = {R"(C:\tools\pwsh.exe)", R"(C:\Program Files\PowerShell\7\pwsh.exe)",
                            built_in, R"(.\pwsh.exe)"}};
  EXPECT_EQ(machine.shell(), powershell(R"(C:\tools\pwsh.exe)"));
  machine.files.erase(R"(C:\tools\pwsh.exe)");
  EXPECT_EQ(machine.shell(), powershell(R"(C:\Program Files\PowerShell\7\pwsh.exe)"));
  machine.files.erase(R"(C:\Program Files\PowerShell\7\pwsh.exe)");
  EXPECT_EQ(machine.shell(), powershell(built_in));
  machine.files.erase(built_in);
  EXPECT_EQ(machine.shell(), (CommandShell{ShellKind::cmd, R"(C:\Windows\System32\cmd.exe)"}));
  machine.variables["COMSPEC"] = R"(D:\system\cmd.exe)";
  EXPECT_EQ(machine.shell(), (CommandShell{ShellKind::cmd, R"(D:\system\cmd.exe)"}));
  machine.variables["COMSPEC"] = R"(D:\4nt.exe)";
  EXPECT_EQ(machine.shell(), (CommandShell{ShellKind::cmd, R"(C:\Windows\System32\cmd.exe)"}))
      << "it would be spoken to as cmd";
}

TEST(WindowsShell, KnowsWhatProgramsNeed) {
  Machine machine;
  const CommandSystem system = machine.system();
  EXPECT_TRUE(system.variables_ignore_case);
  EXPECT_EQ(system.default_variables,
            (Variables{{"SystemRoot", R"(C:\Windows)"},
                       {"windir", R"(C:\Windows)"},
                       {"SystemDrive", "C:"},
                       {"ComSpec", R"(C:\Windows\System32\cmd.exe)"},
                       {"PATH", R"(C:\Windows\System32;C:\Windows;)"
                                R"(C:\Windows\System32\WindowsPowerShell\v1.0)"},
                       {"PATHEXT", ".COM;.EXE;.BAT;.CMD"},
                       {"TEMP", R"(C:\Users\u\AppData\Local\Temp)"},
                       {"TMP", R"(C:\Users\u\AppData\Local\Temp)"},
                       {"USERPROFILE", R"(C:\Users\u)"}}));
  machine.home = "";
  EXPECT_FALSE(machine.system().default_variables.contains("USERPROFILE"));
}

TEST(ShellCommand, TellsEachShellInItsWay) {
  using Strings = std::vector<std::string>;
  const std::string command = "echo \"a\\\\b\"";
  const auto bash = shell_command({ShellKind::bash, "/bin/bash"}, command);
  EXPECT_EQ(bash.argv, (Strings{"/bin/bash", "--noprofile", "--norc", "-c", command + "\n\n"}));
  EXPECT_EQ(bash.input, "");

  const auto git = shell_command(git_bash("b.exe"), command);
  EXPECT_EQ(git.argv, (Strings{"b.exe", "--noprofile", "--norc", "-c",
                               "IFS= read -r -d '' yume_command; eval \"$yume_command\""}));
  EXPECT_EQ(git.input, command);

  const auto power = shell_command(powershell("p.exe"), command);
  ASSERT_EQ(power.argv.size(), 5U);
  EXPECT_EQ(Strings(power.argv.begin(), power.argv.begin() + 4),
            (Strings{"p.exe", "-NoProfile", "-NonInteractive", "-Command"}));
  EXPECT_NE(power.argv[4].find("\n" + command + "\n"), std::string::npos) << power.argv[4];

  EXPECT_EQ(shell_command({ShellKind::cmd, "c.exe"}, command).argv,
            (Strings{"c.exe", "/d", "/s", "/c", command}));
  EXPECT_EQ(shell_command({ShellKind::cmd, "c.exe"}, "a\r\n \nb\n\nc\n").argv.back(), "a & b & c");
}

}  // namespace
}  // namespace yume::platform
