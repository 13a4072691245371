// SPDX-License-Identifier: MIT
// The corners of reading commands: words that end too early, numbers that are none, lists that are
// too long. What is not understood may never count as harmless.
#include "permissions/ansi_quotes.h"
#include "permissions/command_facts.h"
#include "permissions/command_words.h"
#include "permissions/critical_removal.h"
#include "permissions/plain_command.h"
#include "permissions/read_only.h"
#include "permissions/shell_text.h"
#include "permissions/shell_variables.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace yume::permissions {
namespace {

using Strings = std::vector<std::string>;

std::string joined(const std::vector<ShellWord>& words) {
  std::string out;
  for (const ShellWord& word : words) out += (out.empty() ? "" : " ") + word.text;
  return out;
}

std::vector<ShellWord> words_of(const std::string& command) {
  const ShellText shell = read_shell_text(command);
  return shell.commands.empty() ? std::vector<ShellWord>{} : shell.commands.front().words;
}

std::string decoded(std::string_view text) {
  std::string out;
  (void)decode_ansi_quotes(text, out);
  return out;
}

TEST(AnsiQuotes, EndTheirNumbersWhereTheyEnd) {
  EXPECT_EQ(decoded("\\x4"), "\x04");
  EXPECT_EQ(decoded("\\x4'"), "\x04");
  EXPECT_EQ(decoded("\\x4g'"), "\x04g");
  EXPECT_EQ(decoded("\\xg'"), "\\xg");
  EXPECT_EQ(decoded("\\!'"), "\\!");
  EXPECT_EQ(decoded("\\8'"), "\\8");
}

TEST(WithoutWrappers, LeavesWhatIsNotQuiteAWrapper) {
  const struct {
    const char* given;
    const char* left;
  } rows[] = {
      {"timeout 5 make", "make"},
      {"timeout '' make", "timeout  make"},
      {"timeout soon make", "timeout soon make"},
      {"timeout 5", "timeout 5"},
      {"nice -n 5 make", "make"},
      {"nice -n 5", "nice -n 5"},
      {"nice make", "make"},
      {"nice -5 make", "nice -5 make"},
      {"stdbuf -oL make", "make"},
      {"stdbuf -o L make", "stdbuf -o L make"},
      {"stdbuf make", "stdbuf make"},
      {"stdbuf -oL", "stdbuf -oL"},
      {"time nohup make", "make"},
      {"command -v make", "command -v make"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(joined(without_wrappers(words_of(row.given))), row.left) << row.given;
  }
}

TEST(CommandWords, KnowNothingAboutNoWords) {
  EXPECT_FALSE(runs_other_commands({}));
  EXPECT_FALSE(has_hidden_effect({}));
  EXPECT_FALSE(reads_whole_directories({}));
}

TEST(CommandWords, TakeNoHalfFlagForAWholeOne) {
  EXPECT_FALSE(has_hidden_effect(words_of("git diff --")));
  EXPECT_TRUE(has_hidden_effect(words_of("git diff --outp=x")));
  for (const char* command : {"grep -- x", "zgrep x y", "ln", "fd x", "cp --no-clobber a b"}) {
    EXPECT_FALSE(reads_whole_directories(words_of(command))) << command;
  }
  for (const char* command : {"zgrep -r x", "egrep --recursive x", "fdfind -x rm", "ln a b",
                              "fd x --exec cat", "timeout 5 fgrep -R x"}) {
    EXPECT_TRUE(reads_whole_directories(words_of(command))) << command;
  }
}

TEST(CommandWords, LetOnlyHarmlessNamesBeSetInFront) {
  const auto harmless = [](const std::string& command) {
    return has_only_harmless_assignments(read_shell_text(command).commands.front());
  };
  EXPECT_TRUE(harmless("CI=1 make"));
  EXPECT_FALSE(harmless("CI=$X make"));
  EXPECT_FALSE(harmless("CI=1 LD_PRELOAD=x make"));
}

TEST(PlainCommand, RefusesWhatAShellCouldReadInAnotherWay) {
  for (const char* command : {"a#b",
                              "echo #b",
                              "echo '#'# x^",
                              "echo ''#a",
                              "echo ^a",
                              "a~b",
                              "echo ~",
                              "echo '.'~",
                              "echo a=~",
                              "'' x",
                              "ls >/dev/null 2>/dev/null",
                              ">/dev/null",
                              ">/dev/null ls",
                              "ls 2>&1 >/dev/null",
                              "ls >/dev/null 2>&1 2>&1",
                              "echo \"a$b\"",
                              "echo \"a`b\"",
                              "echo \"a!b\"",
                              "echo \"a\\ b\"",
                              "echo \"a\\\\\"",
                              "echo 'a",
                              "echo \"\x01\"",
                              "echo '\x7f'",
                              "ls >/dev/null x",
                              "if x",
                              "%1",
                              "echo a{b"}) {
    EXPECT_FALSE(read_plain_command(command).has_value()) << command;
  }
}

TEST(PlainCommand, ReadsWhatMeansItself) {
  const struct {
    const char* command;
    Strings argv;
  } rows[] = {
      {"echo a#b a^b a~ x=y", {"echo", "a#b", "a^b", "a~", "x=y"}},
      {"grep \"\\.cpp\" \"a\\(b\"", {"grep", "\\.cpp", "a\\(b"}},
      {"ls '' x", {"ls", "", "x"}},
  };
  for (const auto& row : rows) {
    const auto steps = read_plain_command(row.command);
    ASSERT_TRUE(steps.has_value()) << row.command;
    EXPECT_EQ(steps->front().argv, row.argv);
  }
  const auto silent = read_plain_command("ls >/dev/null 2>&1");
  ASSERT_TRUE(silent.has_value());
  EXPECT_TRUE(silent->front().drops_errors && silent->front().drops_output);
}

TEST(ReadOnly, ProvesNothingThatIsIncomplete) {
  for (const char* command : {"grep",
                              "grep -e",
                              "find -name",
                              "find x -newer",
                              "find x -name",
                              "find x -exec y",
                              "jq",
                              "jq -r",
                              "sed -n",
                              "sed -n p",
                              "sed -n ,5p",
                              "sed -n 5,p",
                              "sed -n 12345678901p x",
                              "sed -n 5p -i",
                              "sed -n 5p x y",
                              "sed -n 5",
                              "test -f",
                              "test x y",
                              "test -f x y",
                              "cd",
                              "cd x",
                              "cd -",
                              "ls && cd x",
                              "cd x; ls",
                              "cd x && git log",
                              "date x",
                              "head -n",
                              "rg --files --pre x"}) {
    EXPECT_FALSE(prove_read_only(command, "/w").has_value()) << command;
  }
  EXPECT_FALSE(files_read_by({}, "/w").has_value());
  EXPECT_FALSE(files_read_by({"git", "log"}, "/w").has_value());
}

TEST(ReadOnly, KnowsWhichFilesAreRead) {
  using Paths = std::vector<std::filesystem::path>;
  const struct {
    const char* command;
    Paths reads;
  } rows[] = {
      {"find", {"/w"}},
      {"find -P x -newer y", {"/w/x", "/w/y"}},
      {"find -name x", {"/w"}},
      {"find '(' -name x ')'", {"/w"}},
      {"find x '!' -name y", {"/w/x"}},
      {"rg --files", {"/w"}},
      {"rg --type-list", {"/w"}},
      {"rg x", {"/w"}},
      {"grep -r x", {"/w"}},
      {"grep --recursive x y", {"/w/y"}},
      {"sed -n '5,$p' x", {"/w/x"}},
      {"sed -n 5p", {}},
      {"test -f x", {"/w/x"}},
      {"date +%s", {}},
      {"jq . x", {"/w/x"}},
      {"cd x && ls y", {"/w/x", "/w/x/y"}},
  };
  for (const auto& row : rows) {
    const auto proven = prove_read_only(row.command, "/w");
    ASSERT_TRUE(proven.has_value()) << row.command;
    EXPECT_EQ(proven->reads, row.reads) << row.command;
  }
}

TEST(ReadOnlyGit, RefusesWhatRunsGpgAndFlagsItDoesNotKnow) {
  for (const char* command : {"git log --format=%GK", "git log --format='%(signature)'",
                              "git status -l", "git -c x=y log", "git"}) {
    EXPECT_FALSE(prove_read_only(command, "/w").has_value()) << command;
  }
  EXPECT_TRUE(prove_read_only("git tag -l", "/w").has_value());
}

TEST(ShellText, KnowsRedirectionsOfOtherShells) {
  const ShellText shell = read_shell_text("ls &>| x");
  ASSERT_EQ(shell.commands.front().redirects.size(), 1U);
  EXPECT_EQ(shell.commands.front().redirects.front().target.text, "x");
}

TEST(MentionedPaths, KnowVariablesByTheirWholeName) {
  const ShellPlaces places{.cwd = "/w", .home = "/home/u"};
  const auto has = [&](const std::string& command, const std::filesystem::path& path) {
    const auto facts = command_facts(command, places, {});
    return std::find(facts.mentioned.begin(), facts.mentioned.end(), path) != facts.mentioned.end();
  };
  EXPECT_TRUE(has("cat $HOME/x", "/home/u/x"));
  EXPECT_TRUE(has("ls ${HOME}", "/home/u"));
  EXPECT_FALSE(has("cat $HOMES/x", "/home/u/x"));
  EXPECT_FALSE(has("cat ${HOME}s/x", "/home/u/x"));
}

TEST(FileChange, NeedsAFile) {
  EXPECT_FALSE(prove_file_change("rm", "/w").has_value());
  EXPECT_FALSE(prove_file_change("rm -f", "/w").has_value());
  EXPECT_FALSE(prove_file_change("rm --no-preserve-root x", "/w").has_value());
  EXPECT_FALSE(prove_file_change("rm x; rm y", "/w").has_value());
  EXPECT_TRUE(prove_file_change("rm x", "/w").has_value());
}

std::string values(const std::string& command, const std::string& word) {
  const ShellVariables variables(read_shell_text(command));
  return joined(variables.values_of({.text = word, .literal = false}));
}

TEST(ShellVariables, AreKnownOnlyWhenNothingElseCanSetThem) {
  EXPECT_EQ(values("A=x; B9=y", "$A-${B9}"), "x-y");
  EXPECT_EQ(values("A_B=x", "$A_B"), "x");
  EXPECT_EQ(values("A=x", "${A%y}"), "${A%y}");
  EXPECT_EQ(values("A=x", "${A"), "${A");
  EXPECT_EQ(values("A=x", "$"), "$");
  EXPECT_EQ(values("A=x; for A", "$A"), "$A");
  EXPECT_EQ(values("A=x; for A of y; do z; done", "$A"), "$A");
  EXPECT_EQ(values("A=x; IFS=y", "$A"), "$A");
  EXPECT_EQ(values("A=x; read A", "$A"), "$A");
}

TEST(ShellVariables, KnowANewFileByTheOneCommandThatMakesIt) {
  const std::string known = values("A=$(mktemp)", "$A");
  EXPECT_NE(known, "$A");
  for (const char* command :
       {"A=$(mktemp | x)", "A=$(x)", "A=$($X)", "A=$(mktemp) B=y", "A=$(B=y)", "x; A=$"}) {
    EXPECT_NE(values(command, "$A"), known) << command;
  }
}

TEST(ShellVariables, GiveUpWhenThereAreTooManyValues) {
  std::string many;
  for (int i = 0; i < 100; ++i) many += "A=x" + std::to_string(i) + "; ";
  EXPECT_EQ(values(many, "$A$A$A"), "$A$A$A");
  std::string chain = "A0=x; ";
  for (int i = 0; i < 40; ++i) {
    chain += "A" + std::to_string(i + 1) + "=$A" + std::to_string(i) + "; ";
  }
  EXPECT_NE(values(chain, "$A40"), "x");
}

TEST(CriticalRemoval, SeesThroughCorners) {
  for (const char* command : {"rm -rf /",
                              "rm -rf ~/",
                              "rm -rf $UNKNOWN",
                              "rm -rf /home/${X}",
                              "rm -rf /home/$X-y/../..",
                              "rm -rf /{a,{b,{c,{d,{e,{f,{g,h}}}}}}}",
                              "find / -name '*' -o -delete",
                              "find . -name x -or -delete",
                              "find . , -delete",
                              "find -delete",
                              "find / '(' -name '*' ')' -delete",
                              "find '(' -true ')' -delete",
                              "cd $X && rm -rf x/..",
                              "cd $X; rm -rf *",
                              "cd / | rm -rf *",
                              "rm -rf ''/",
                              "cd $X; cd y; rm -rf .",
                              "(cd / && ls); rm -rf /",
                              "env -C / rm -rf *",
                              "env --chdir=/ rm -rf *",
                              "mv / x"}) {
    EXPECT_TRUE(removes_something_vital(command, "/w/app", "/home/u")) << command;
  }
  for (const char* command :
       {"rm -rf x", "rm - x", "rm -rf ''", "find x ! -name y -delete", "find . -empty -delete",
        "find x -delete", "make -C", "env -C", "mv x y", "mv * x"}) {
    EXPECT_FALSE(removes_something_vital(command, "/w/app", "/home/u")) << command;
  }
}

TEST(CriticalRemoval, TakesTooManyPlacesForAnyPlace) {
  std::string command;
  for (int i = 0; i < 8; ++i) command += "cd d" + std::to_string(i) + "; ";
  EXPECT_TRUE(removes_something_vital(command + "rm -rf *", "/w/app", "/home/u"));
}

// The command inside as many shells.
std::string nested(std::string command, int depth) {
  for (int i = 0; i < depth; ++i) {
    std::string quoted;
    for (const char c : command) quoted += c == '\'' ? "'\\''" : std::string(1, c);
    command = "bash -c '" + quoted + "'";
  }
  return command;
}

TEST(CriticalRemoval, LooksIntoCodeAsFarAsItIsReadable) {
  EXPECT_TRUE(removes_something_vital(nested("rm -rf /", 2), "/w/app", "/home/u"));
  EXPECT_FALSE(removes_something_vital(nested("rm -rf x", 7), "/w/app", "/home/u"));
}

TEST(CommandFacts, AreTakenFromNestedShellsUpToALimit) {
  const ShellPlaces places{.cwd = "/w", .home = "/home/u"};
  const auto runs_make = [&](int depth) {
    const CommandFacts facts = command_facts(nested("make all", depth), places, {});
    return std::any_of(facts.shell.commands.begin(), facts.shell.commands.end(),
                       [](const SimpleCommand& one) { return one.words.front().text == "make"; });
  };
  EXPECT_TRUE(runs_make(3));
  EXPECT_FALSE(runs_make(6));
  // What rules are compared with has the text all the same.
  EXPECT_NE(command_facts(nested("make all", 6), places, {}).plain.find("make"), std::string::npos);
}

TEST(CommandFacts, TakeTooMuchForOpaque) {
  const ShellPlaces places{.cwd = "/w", .home = "/home/u"};
  std::string many = "cd a; cd b; cd c; cd d; cat";
  EXPECT_EQ(command_facts(many + " x", places, {}).shell.opaque, "it names too many files");
  many = "cat";
  for (int i = 0; i < 1'500; ++i) many += " a" + std::to_string(i);
  EXPECT_EQ(command_facts("cd a; cd b; " + many, places, {}).shell.opaque,
            "it names too many files");
  EXPECT_EQ(command_facts("cat x | xargs ls", places, {}).shell.opaque,
            "some of its words come from its input");
  // The first reason counts.
  const auto first = command_facts("echo $X | xargs bash -c 'echo $Y' 'echo $Z'", places, {});
  ASSERT_TRUE(first.shell.opaque.has_value());
  EXPECT_NE(first.shell.opaque, "some of its words come from its input");
}

}  // namespace
}  // namespace yume::permissions
