// SPDX-License-Identifier: MIT
// Bash with real commands: what carries over from one to the next, what a long output becomes, how
// each end is told. That nothing survives is in process_tree_test.cpp and tests/shell.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "support/forked.h"
#include "support/real_shell.h"
#include "support/run_command.h"

namespace yume {
namespace {

using namespace std::chrono_literals;
using test::content_of;
using test::RealShell;

namespace fs = std::filesystem;

TEST(Shell, KeepsTheDirectoryHoweverTheCommandEnds) {
  struct Row {
    const char* what;
    std::string command;
    int exit_code;
  };
  const std::vector<Row> rows = {
      {"plain", "cd sub", 0},
      {"exit", "cd sub; exit 3", 3},
      {"exec", "cd sub; exec true", 0},
      {"set -e", "set -e; cd sub; false; cd /", 1},
      {"a syntax error", "cd sub\nif", 2},
      {"its own trap", "trap 'echo bye' EXIT; cd sub", 0},
      {"a signal", "cd sub; kill -KILL $$", 137},
      {"a function and an alias of cd", "cd() { builtin cd sub; }; cd elsewhere", 0},
      {"pushd", "pushd sub", 0},
      {"after a heredoc", "cd sub; cat <<EOF\nx\nEOF", 0},
      {"without an end of the heredoc", "cd sub; cat <<EOF\nx", 0},
      {"a comment at the end", "cd sub # there", 0},
      {"a backslash at the end", "cd sub \\", 0},
  };
  for (const Row& row : rows) {
    RealShell shell;
    fs::create_directory(shell.cwd() / "sub");
    const std::string text = shell.bash(row.command);
    if (row.exit_code != 0) {
      EXPECT_TRUE(text.starts_with("Exit code " + std::to_string(row.exit_code))) << text;
    }
    EXPECT_EQ(shell.bash("pwd"), (shell.cwd() / "sub").string()) << row.what;
  }
}

TEST(Shell, DoesNotFollowSubshellsAndChildren) {
  RealShell shell;
  fs::create_directory(shell.cwd() / "sub");
  shell.bash("(cd sub); bash -c 'cd sub'; cd sub | cat; echo $(cd sub)");
  EXPECT_EQ(shell.bash("pwd"), shell.cwd().string());
}

TEST(Shell, KeepsNothingElse) {
  RealShell shell;
  shell.bash("X=1; export Y=2; umask 077; f() { echo f; }; alias a=b; set -x; shopt -s nullglob");
  EXPECT_EQ(shell.bash("echo \"[$X$Y]\"; type f 2>&1; umask; echo *.none"),
            "[]\n/bin/bash: line 1: type: f: not found\n0022\n*.none");
}

TEST(Shell, ResetsADirectoryOutsideTheWorkingDirectories) {
  RealShell shell;
  fs::create_directory(shell.cwd() / "sub");
  const std::string note = "Shell cwd was reset to " + shell.cwd().string();
  EXPECT_EQ(shell.bash("cd sub; cd /; pwd"), "/\n" + note);
  EXPECT_EQ(shell.bash("cd /"), note);
  EXPECT_EQ(shell.bash("cd /; exit 4"), "Exit code 4\n" + note);
  EXPECT_EQ(shell.bash("cd " + shell.cwd().string() + "-beside 2>/dev/null || cd .."), note);
  EXPECT_EQ(shell.bash("pwd"), shell.cwd().string());
}

TEST(Shell, AReadDirectoryIsARealOne) {
  RealShell shell;
  fs::create_directory_symlink("/usr", shell.cwd() / "link");
  EXPECT_EQ(shell.bash("cd link"), "Shell cwd was reset to " + shell.cwd().string())
      << "a link does not lead out of the working directories";
}

TEST(Shell, ADeletedDirectoryIsLeft) {
  RealShell shell;
  fs::create_directories(shell.cwd() / "sub" / "deep");
  shell.bash("cd sub/deep");
  EXPECT_EQ(shell.bash("rm -r ../../sub; echo gone"),
            "gone\nShell cwd was reset to " + shell.cwd().string());
  EXPECT_EQ(shell.bash("pwd"), shell.cwd().string());
  // Removed by somebody else, between two calls.
  fs::create_directory(shell.cwd() / "sub");
  shell.bash("cd sub");
  fs::remove(shell.cwd() / "sub");
  EXPECT_EQ(shell.bash("pwd"), shell.cwd().string());
}

TEST(Shell, SaysSoWhenTheWorkingDirectoryIsGone) {
  RealShell shell;
  fs::remove(shell.cwd());
  EXPECT_EQ(shell.bash("pwd"),
            "cannot work in " + shell.cwd().string() + ": no such file or directory");
}

// As another user, who would gain from the setuid bit what the kernel gives only to a process that
// shares nothing with another one.
TEST(Shell, TheLastCommandMayBeSetuid) {
  if (::getuid() != 0) GTEST_SKIP() << "only root can make a program that is root's";
  RealShell shell;
  fs::permissions(shell.scratch(), fs::perms(0755));
  fs::copy_file("/usr/bin/id", shell.cwd() / "id");
  ASSERT_EQ(::chmod((shell.cwd() / "id").c_str(), 04755), 0);
  EXPECT_EQ(test::exit_code_of([&] {
              if (::setuid(65534) != 0) return 1;
              return shell.bash("./id -u") == "0" && shell.bash("true && ./id -u") == "0" ? 0 : 2;
            }),
            0);
}

TEST(Shell, TellsEveryEndByCodeAndName) {
  RealShell shell;
  std::ofstream(shell.cwd() / "plain") << "not executable";
  std::ofstream(shell.cwd() / "binary") << "\x7F"
                                        << "ELF garbage";
  fs::permissions(shell.cwd() / "binary", fs::perms::owner_all);
  EXPECT_EQ(shell.bash("kill -SEGV $$"), "Exit code 139 (killed by SIGSEGV)");
  EXPECT_EQ(shell.bash("nosuchcmd"),
            "Exit code 127\n/bin/bash: line 1: nosuchcmd: command not found");
  EXPECT_EQ(shell.bash("./plain"), "Exit code 126\n/bin/bash: line 1: ./plain: Permission denied");
  EXPECT_EQ(shell.bash("./binary"),
            "Exit code 126\n/bin/bash: line 1: ./binary: cannot execute binary file: Exec format "
            "error");
  EXPECT_EQ(shell.bash("echo a\nnosuchcmd"),
            "Exit code 127\na\n/bin/bash: line 2: nosuchcmd: command not found");
  const std::string crashed = shell.bash("bash -c 'kill -ABRT $$'; exit $?");
  EXPECT_TRUE(crashed.starts_with("Exit code 134\n")) << crashed;
  EXPECT_NE(crashed.find("Aborted"), std::string::npos) << "bash names a child's signal";
}

TEST(Shell, HasNothingToAsk) {
  RealShell shell;
  EXPECT_EQ(shell.bash("cat; read -r x || echo end; [ -t 0 ] || echo no terminal"),
            "end\nno terminal");
  EXPECT_EQ(shell.bash("echo x > /dev/tty"),
            "Exit code 1\n/bin/bash: line 1: /dev/tty: No such device or address");
}

TEST(Shell, TimesOutWithTheOutputSoFar) {
  RealShell shell;
  fs::create_directory(shell.cwd() / "sub");
  EXPECT_EQ(
      shell.call("Bash", {{"command", "cd sub; echo so far; sleep 30"}, {"timeout", 200}}).content,
      "Exit code 143\nCommand timed out after 200ms\nso far");
  EXPECT_EQ(shell.bash("pwd"), (shell.cwd() / "sub").string());
}

TEST(Shell, TakesItsTimesFromTheSettings) {
  RealShell shell({.default_timeout = 100ms, .longest_timeout = 200ms});
  EXPECT_EQ(shell.bash("sleep 30"), "Exit code 143\nCommand timed out after 100ms");
  EXPECT_EQ(shell.call("Bash", {{"command", "sleep 30"}, {"timeout", 9'000}}).content,
            "Exit code 143\nCommand timed out after 200ms");
}

TEST(Shell, KeepsALongOutputInAFile) {
  RealShell shell;
  const auto outcome =
      shell.call("Bash", {{"command", "for i in {1..8000}; do echo line $i; done"}});
  const fs::path file = shell.outputs() / "call_1.txt";
  std::string all;
  for (int i = 1; i <= 8000; ++i) all += "line " + std::to_string(i) + "\n";
  EXPECT_EQ(content_of(file), all);
  struct stat status {};
  ASSERT_EQ(::stat(file.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0600U);
  ASSERT_EQ(::stat(shell.outputs().c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777U, 0700U);
  const std::string begin =
      "<persisted-output>\nOutput too large (77KB). Full output saved to: " + file.string() +
      "\n\nPreview (first 2KB):\nline 1\nline 2\n";
  EXPECT_EQ(outcome.content.substr(0, begin.size()), begin);
  EXPECT_TRUE(outcome.content.ends_with("\n...\n</persisted-output>")) << outcome.content;
  EXPECT_LT(outcome.content.size(), 2'400U);
  EXPECT_EQ(outcome.details,
            core::ToolDetails(core::CommandRan{
                .output = all.substr(0, 30'000),
                .kept = core::KeptOutput{.path = file.string(), .bytes = all.size()}}));
}

TEST(Shell, ShowsTheEndOfALongFailure) {
  RealShell shell;
  const std::string text = shell.bash("seq 20000; echo it broke here; exit 2");
  EXPECT_TRUE(text.starts_with("Exit code 2\n<persisted-output>\n")) << text;
  EXPECT_TRUE(text.ends_with("20000\nit broke here\n</persisted-output>")) << text;
}

TEST(Shell, CountsCharactersNotBytes) {
  RealShell shell;
  const std::string text = shell.bash("printf '\u00e9%.0s' {1..30000}");
  EXPECT_EQ(text.size(), 60'000U);
  EXPECT_FALSE(fs::exists(shell.outputs()));
  EXPECT_TRUE(shell.bash("printf '\u00e9%.0s' {1..30001}").starts_with("<persisted-output>"));
}

TEST(Shell, BoundsTheFileAndSaysWhatIsMissing) {
  RealShell shell;
  const std::string text =
      shell.bash("head -c 70000000 /dev/zero | tr '\\0' x; echo; echo the end");
  const std::string file = content_of(shell.outputs() / "call_1.txt");
  constexpr std::size_t k_start = 62U << 20U;
  constexpr std::size_t k_end = 1U << 20U;
  EXPECT_LE(file.size(), 64U << 20U);
  EXPECT_GE(file.size(), k_start + k_end);
  EXPECT_TRUE(file.ends_with("x\nthe end\n"));
  const std::size_t note = file.find("\n\n... [");
  ASSERT_NE(note, std::string::npos);
  const std::size_t dropped = std::stoul(file.substr(note + 7));
  const std::size_t kept = note + (file.size() - file.find("] ...\n\n") - 7);
  EXPECT_EQ(kept + dropped, 70'000'009U);
  EXPECT_NE(text.find("(66.8MB). All but " + std::to_string(dropped) + " bytes in the middle"),
            std::string::npos)
      << text.substr(0, 300);
}

TEST(Shell, FallsBackToBothEndsWhenTheFileCannotBeWritten) {
  RealShell shell;
  std::ofstream(shell.outputs()) << "not a directory";
  const std::string text = shell.bash("seq 20000");
  EXPECT_TRUE(text.starts_with("1\n2\n3\n")) << text.substr(0, 100);
  EXPECT_TRUE(text.ends_with("19999\n20000"));
  EXPECT_NE(text.find("bytes of output left out"), std::string::npos);
}

TEST(Shell, KeepsKnownSecretsOutOfTheFile) {
  RealShell shell;
  const std::string secret = "canary-0123456789abcdef0123456789";
  shell.redactor().learn(secret);
  // Across every border of a read, and at the end of the file without a newline.
  shell.bash("for i in {1..6000}; do echo " + secret + "$i; done; printf " + secret);
  const std::string file = content_of(shell.outputs() / "call_1.txt");
  EXPECT_EQ(file.find("canary"), std::string::npos);
  EXPECT_TRUE(file.starts_with("[redacted]1\n[redacted]2\n"));
  EXPECT_TRUE(file.ends_with("[redacted]6000\n[redacted]"));
}

std::size_t count_entries(const char* directory) {
  return static_cast<std::size_t>(
      std::distance(fs::directory_iterator(directory), fs::directory_iterator()));
}

// X-14.
TEST(Shell, AThousandCallsLeaveNothing) {
  RealShell shell;
  shell.bash("true");
  const std::size_t descriptors = count_entries("/proc/self/fd");
  const std::size_t threads = count_entries("/proc/self/task");
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(shell.bash("echo hi"), "hi");
  EXPECT_EQ(count_entries("/proc/self/fd"), descriptors);
  EXPECT_EQ(count_entries("/proc/self/task"), threads);
  EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a zombie";
}

// With the bash that is here: what Git Bash is told, every bash understands.
TEST(Shell, RunsACommandThatComesByStdin) {
  RealShell shell({.command_shell = {platform::ShellKind::git_bash, "/bin/bash"}});
  EXPECT_EQ(shell.bash(R"x(printf '%s|' 'a\\b' "$((1 + 1))" ' c '; cat; read x || echo end)x"),
            R"(a\\b|2| c |end)");
  EXPECT_EQ(shell.bash("cat <<'EOF' | wc -c\n" + std::string(200'000, 'x') + "\nEOF\n"), "200001");
  EXPECT_EQ(shell.bash("echo one\nexit 3"), "Exit code 3\none");
  EXPECT_EQ(shell.bash("true\nfalse # the last one counts"), "Exit code 1");
  EXPECT_TRUE(shell.bash("echo 'open").starts_with("Exit code ")) << "a syntax error";
}

TEST(Shell, LeavesItsInputToALineThatComesByStdin) {
  const auto told = platform::line_command({platform::ShellKind::git_bash, "/bin/bash"},
                                           R"(read first; printf '%s\n' "$first"; cat)",
                                           "one\n" + std::string(20'000, 'x'));
  const auto ran = test::run(
      {.argv = told.argv, .cwd = "/", .environment = {"PATH=/usr/bin:/bin"}, .input = told.input});
  EXPECT_EQ(ran.output, "one\n" + std::string(20'000, 'x'));
}

// As Git Bash is told it, with the bash that is here.
TEST(Shell, ReportsWhereItEnds) {
  const test::TemporaryDirectory directory;
  const fs::path report = directory.path() / "report";
  fs::create_directories(directory.path() / "sub");
  const auto report_of = [&](const std::string& command) {
    std::ofstream(report).close();
    const auto told = platform::shell_command({platform::ShellKind::git_bash, "/bin/bash"}, command,
                                              platform::DirectoryReport::wanted);
    const auto ran = test::run({.argv = told.argv,
                                .cwd = directory.path(),
                                .environment = {"YUME_DIRECTORY_REPORT=" + report.string()},
                                .input = told.input});
    std::ifstream in(report);
    std::string line;
    std::getline(in, line);
    return std::to_string(ran.end.exit_code) + ran.output +
           fs::path(line).lexically_relative(directory.path()).string();
  };
  EXPECT_EQ(report_of("cd sub"), "0sub");
  EXPECT_EQ(report_of("cd sub; exit 3"), "3sub");
  EXPECT_EQ(report_of("(cd sub; exit 4)"), "4.");
  EXPECT_EQ(report_of("set -eu; cd sub; false"), "1sub");
  EXPECT_EQ(report_of("cd sub; exec 1>&-"), "0sub");
  EXPECT_EQ(report_of("echo ${YUME_DIRECTORY_REPORT-none}"), "0none\n.");
  EXPECT_EQ(report_of("cd sub; exec true"), "0") << "then it is not known";
  EXPECT_EQ(report_of("cd sub; rm ../report; mkdir ../report"), "0") << "and nothing is said";
}

// X-04.
TEST(Shell, AForkBombEndsAtTheTimeout) {
  if (::getuid() != 0) GTEST_SKIP() << "the limit must not hit the user's own processes";
  RealShell shell;
  for (const fs::path& path : {shell.scratch(), shell.cwd()}) {
    fs::permissions(path, fs::perms(0777));
  }
  const auto start = std::chrono::steady_clock::now();
  EXPECT_EQ(test::exit_code_of([&] {
              constexpr uid_t k_nobody_else_has = 61234;
              const rlimit limit{.rlim_cur = 150, .rlim_max = 150};
              if (::setrlimit(RLIMIT_NPROC, &limit) != 0) return 1;
              if (::setuid(k_nobody_else_has) != 0) return 2;
              const auto outcome = shell.call(
                  "Bash", {{"command", ":(){ :|:& };: 2>/dev/null; sleep 30"}, {"timeout", 500}});
              if (!outcome.content.starts_with("Exit code 143\nCommand timed out")) return 3;
              return shell.bash("echo alive") == "alive" ? 0 : 4;
            }),
            0);
  EXPECT_LT(std::chrono::steady_clock::now() - start, 30s);
}

}  // namespace
}  // namespace yume
