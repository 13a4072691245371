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

TEST(WindowsShell, RunsLinesOfSettingsWithGitBashElseWithCmd) {
  const std::string bash = R"(E:\Git\bin\bash.exe)";
  const CommandShell cmd{ShellKind::cmd, R"(C:\Windows\System32\cmd.exe)"};
  Machine machine{.variables = {{"YUME_GIT_BASH_PATH", bash}}, .files = {}};
  EXPECT_EQ(machine.system().line_shell, git_bash(bash));
  machine.variables.clear();
  EXPECT_EQ(machine.system().line_shell, cmd);
  machine.files = {R"(C:\Windows\System32\WindowsPowerShell\v1.0\powershell.exe)"};
  EXPECT_EQ(machine.shell().kind, ShellKind::powershell);
  EXPECT_EQ(machine.system().line_shell, cmd) << "such lines are not written for PowerShell";
  EXPECT_EQ(CommandSystem().line_shell, (CommandShell{ShellKind::bash, "/bin/sh"}));
}

TEST(LineCommand, LeavesItsInputToTheLine) {
  using Strings = std::vector<std::string>;
  const auto sh = line_command({ShellKind::bash, "/bin/sh"}, "cat", "{}\n");
  EXPECT_EQ(sh.argv, (Strings{"/bin/sh", "-c", "cat"}));
  EXPECT_EQ(sh.input, "{}\n");
  const auto git = line_command(git_bash("b.exe"), "cat", "{}\n");
  EXPECT_EQ(git.argv, shell_command(git_bash("b.exe"), "cat").argv);
  EXPECT_EQ(git.input, std::string("cat\0{}\n", 7));
  const auto cmd = line_command({ShellKind::cmd, "c.exe"}, "more", "{}\n");
  EXPECT_EQ(cmd.argv, (Strings{"c.exe", "/d", "/s", "/c", "more"}));
  EXPECT_EQ(cmd.input, "{}\n");
}

// What each shell does with it: tests/contracts/shell_test.cpp, tests/windows/shell_test.cpp.
TEST(DirectoryReport, IsWrittenBehindTheCommand) {
  const std::string command = "cd sub";
  const auto told = [&](CommandShell shell) {
    return shell_command(shell, command, DirectoryReport::wanted);
  };
  EXPECT_EQ(told(git_bash("b.exe")).input, command);
  EXPECT_NE(told(git_bash("b.exe")).argv.back().find("EXIT; eval \"$yume_command\""),
            std::string::npos);
  EXPECT_EQ(told({ShellKind::bash, "/bin/bash"}).argv.back(), command + "\n\n");

  const std::string power = told(powershell("p.exe")).argv.back();
  const std::string plain = shell_command(powershell("p.exe"), command).argv.back();
  const auto line = [](const std::string& text, std::string_view what) {
    const std::size_t at = text.find(what);
    return at == std::string::npos ? std::string() : text.substr(at, text.find('\n', at) - at);
  };
  EXPECT_NE(power.find("\ncd sub\n$yume_good = $?\ntry { "), std::string::npos) << power;
  EXPECT_EQ(line(power, "try {"),
            "try { [IO.File]::WriteAllText($env:YUME_DIRECTORY_REPORT, "
            "(Get-Location -PSProvider FileSystem).ProviderPath) } catch { }");
  EXPECT_EQ(power.find('"'), std::string::npos) << "it would have to be escaped";
  EXPECT_EQ(line(power, "if (-not"), line(plain, "if (-not"));
  EXPECT_EQ(line(plain, "try {"), "");

  EXPECT_EQ(told({ShellKind::cmd, R"(C:\c.exe)"}).argv,
            (std::vector<std::string>{R"(C:\c.exe)", "/d", "/v:on", "/s", "/c",
                                      "cd sub & set yume_code=!errorlevel!& "
                                      "\x3e\"!YUME_DIRECTORY_REPORT!\" \"C:\\c.exe\" /u /d /c cd& "
                                      "exit !yume_code!"}));
}

TEST(DirectoryReport, LeavesACommandOfCmdAloneThatItCouldChange) {
  const CommandShell cmd{ShellKind::cmd, "c.exe"};
  const auto reports = [&cmd](const std::string& command) {
    return shell_command(cmd, command, DirectoryReport::wanted).argv.size() == 6;
  };
  for (const char* command :
       {"cd sub", "CD..", R"(cd\)", R"(chdir "a b" && dir)", "pushd x & popd",
        "d:", "a\ncd /d d:\\x", "mkdir x&&cd x", R"(cd.\x)", "echo %PATH% & cd x"}) {
    EXPECT_TRUE(reports(command)) << command;
  }
  for (const char* command : {"dir", "echo cdrom", "if exist x cd x", "@for %i in (a b) do cd %i",
                              "(cd x)", "cd x ^", "echo hi! & cd x", "cd x & echo \"open",
                              "cd x & REM why", "cd x & :: why", "cd x & IF 1==1 dir"}) {
    EXPECT_FALSE(reports(command)) << command;
    EXPECT_EQ(shell_command(cmd, command, DirectoryReport::wanted).argv,
              shell_command(cmd, command).argv)
        << command;
  }
}

TEST(DirectoryReport, IsReadAsTheShellsWriteIt) {
  EXPECT_EQ(read_directory_report(""), "");
  EXPECT_EQ(read_directory_report("C:/Users/ü x\n"), "C:/Users/ü x");
  EXPECT_EQ(read_directory_report(R"(C:\x)"), R"(C:\x)");
  const char16_t wide[] = u"C:\\é本\r\n";
  std::string bytes;
  for (const char16_t unit : std::u16string_view(&wide[0])) {
    bytes += static_cast<char>(unit & 0xFFU);
    bytes += static_cast<char>(unit >> 8U);
  }
  EXPECT_EQ(read_directory_report(bytes), R"(C:\é本)");
}

}  // namespace
}  // namespace yume::platform
