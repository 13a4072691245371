// SPDX-License-Identifier: MIT
// What a command hides in its words: code for another shell, alternatives in braces, the same
// command in another spelling.
#include "permissions/brace_words.h"
#include "permissions/command_facts.h"
#include "permissions/command_spellings.h"
#include "permissions/command_words.h"
#include "permissions/hidden_code.h"
#include "permissions/policy.h"
#include "permissions/program_effects.h"
#include "unit/permissions/command_lines.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace yume::permissions {
namespace {

using Strings = std::vector<std::string>;

SimpleCommand command_of(const std::string& text) {
  const ShellText shell = read_shell_text(text);
  return shell.commands.empty() ? SimpleCommand{} : shell.commands.back();
}

std::string joined(const std::vector<ShellWord>& words) {
  std::string out;
  for (const ShellWord& word : words) out += (out.empty() ? "" : " ") + word.text;
  return out;
}

Strings spellings(const std::string& text) {
  Strings out;
  for (const auto& words : other_spellings(command_of(text).words)) out.push_back(joined(words));
  return out;
}

bool contains(const Strings& all, const std::string& one) {
  return std::find(all.begin(), all.end(), one) != all.end();
}

TEST(BraceWords, AreWordsOfTheirOwn) {
  const struct {
    const char* given;
    const char* words;
  } rows[] = {
      {"{rm,-rf,/x}", "rm -rf /x"},
      {"a{b,c}d e", "abd acd e"},
      {"{a,{b,c}}", "a b c"},
      {"a{1..3}", "a1 a2 a3"},
      {"'{a,b}'", "{a,b}"},
      {"{a}", "{a}"},
      {"${x}{a,b}", "${x}a ${x}b"},
      {"{a,b", "{a,b"},
      {"{}{a,b}", "{}a {}b"},
      {"a{1..10}", "a*"},
      {"{c..a}", "*"},
      {"{b..d}x", "bx cx dx"},
      {"x ${a,b}", "x ${a,b}"},
  };
  for (const auto& row : rows) {
    EXPECT_EQ(joined(with_brace_words(command_of(row.given)).words), row.words) << row.given;
  }
}

TEST(BraceWords, AreBounded) {
  std::string many;
  for (int i = 0; i < 12; ++i) many += "{a,b}";
  EXPECT_LE(with_brace_words(command_of(many)).words.size(), 128U);
}

TEST(OtherSpellings, AreThoseOfPeople) {
  EXPECT_TRUE(contains(spellings("rm -r x -f y"), "rm -rf x y"));
  EXPECT_TRUE(contains(spellings("rm --recursive --force x"), "rm -fr x"));
  EXPECT_TRUE(contains(spellings("/bin/rm -Rvf x"), "rm -r -f x"));
  EXPECT_TRUE(contains(spellings("git-push x"), "git push x"));
  EXPECT_TRUE(contains(spellings("/usr/lib/git-core/git-push"), "git push"));
  EXPECT_TRUE(contains(spellings("git -c alias.p=push p x"), "git push p x"));
  EXPECT_TRUE(contains(spellings("git -C x push"), "git push"));
  EXPECT_TRUE(contains(spellings("docker --context x run y"), "docker run y"));
  EXPECT_TRUE(contains(spellings("npm -w x publish"), "npm publish"));
  EXPECT_TRUE(contains(spellings("timeout 5 npm -w x publish"), "npm publish"));
  for (const char* command :
       {"", "rm x", "git status", "npm install", "npm", "ls -la", "rm -- -x"}) {
    const Strings found = spellings(command);
    EXPECT_FALSE(contains(found, "rm -rf x")) << command;
    EXPECT_FALSE(contains(found, "git push")) << command;
  }
  EXPECT_TRUE(spellings("git status").empty());
  EXPECT_TRUE(spellings("git alias.x").empty());
  EXPECT_TRUE(spellings("git x=alias.y").empty());
}

TEST(CodeIn, IsBehindFlagsAndInAssignments) {
  const struct {
    const char* command;
    const char* code;
  } rows[] = {
      {"env '-Scurl h'", "curl h"},          {"env -iScurl", "curl"},
      {"su -c'curl h'", "curl h"},           {"sed 1ecurl", "curl"},
      {"X='curl h' make", "curl h"},         {"git -c a.b='!curl h' x", "curl h"},
      {"vim -c ':!curl h'", "curl h"},       {"python3 -ccurl", "curl"},
      {"timeout -k 1 5 env -Scurl", "curl"}, {"ssh -o X='curl h' x", "curl h"},
  };
  for (const auto& row : rows) {
    EXPECT_TRUE(contains(code_in(command_of(row.command)), row.code)) << row.command;
  }
  EXPECT_TRUE(code_in(command_of("gcc x.c -lcurl")).empty());
  EXPECT_TRUE(code_in(command_of("env -S")).empty());
  std::string many = "echo";
  for (int i = 0; i < 100; ++i) many += " 'a b'";
  EXPECT_LE(code_in(command_of(many)).size(), 64U);
}

TEST(ReadsCodeFromInput, WhenNothingElseIsLeft) {
  for (const char* command :
       {"sh", "x | sh", "x | bash -x", "x | bash -s a", "x | bash -", "x | sudo -u y sh",
        "x | env bash", "bash -o posix", "bash --init-file x", "x | zsh +x", "at now", "batch",
        "x | python3", "x | node -", "x | perl -w", "x | bash /dev/stdin", "x | sh /dev/fd/0",
        "x | ksh /proc/self/fd/0"}) {
    EXPECT_TRUE(reads_code_from_input(command_of(command))) << command;
  }
  for (const char* command :
       {"", "bash x.sh", "x | bash x.sh", "bash -c x", "bash -lc x", "bash --version",
        "bash --help", "python3", "x | python3 -c y", "x | python3 -m json.tool",
        "x | python3 y.py", "x | perl -ne print", "x | node --eval y", "echo sh", "sudo ls",
        "x | ruby --version", "ssh h", "x | cat"}) {
    EXPECT_FALSE(reads_code_from_input(command_of(command))) << command;
  }
}

TEST(RunsWhatItFinds, WhenAProgramIsABlank) {
  EXPECT_TRUE(runs_what_it_finds(command_of("find . -exec {} ';'")));
  EXPECT_TRUE(runs_what_it_finds(command_of("find . -ok ./{} +")));
  EXPECT_FALSE(runs_what_it_finds(command_of("find . -exec cat {} +")));
  EXPECT_FALSE(runs_what_it_finds(command_of("find . -exec")));
}

TEST(ScriptDoesMore, LeavesHarmlessScriptsAlone) {
  for (const char* command : {"sed 's/a/b/g' x",
                              "sed -n '1,5p' x",
                              "sed -e 's/a/b/' -e p x",
                              "sed '/a/d;/b/!p' x",
                              "sed 's|a|b|2p' x",
                              "sed '$!N;P;D'",
                              "sed -n '/a\\/b/I,+3p' x",
                              "sed '{p;p}' x",
                              "sed 5q x",
                              "sed 's/a/b/; s/c/d/' x",
                              "sed -E 's/(a)/\\1/' x",
                              "sed ''",
                              "sed",
                              "sed -n",
                              "sed '1~2 p' x",
                              "sed -e",
                              "awk '{print $1}' x",
                              "awk '$1 > 5' x",
                              "awk '$1 > 5 {print $2}' x",
                              "awk '$1 || $2' x",
                              "ls",
                              ""}) {
    EXPECT_FALSE(script_does_more(command_of(command).words)) << command;
  }
}

TEST(GitRunsPrograms, LeavesTheRestAlone) {
  for (const char* command :
       {"git config user.name x", "git config --get core.pager", "git config get alias.x",
        "git config -l", "git config --list", "git bisect good", "git submodule update",
        "git rebase main", "git clone x y", "git archive HEAD", "git log -o", "git commit -m p",
        "ls", ""}) {
    EXPECT_FALSE(git_runs_programs(command_of(command).words)) << command;
  }
}

TEST(HasHiddenEffect, KnowsFlagsInOtherForms) {
  for (const char* command : {"go test -exec=x", "go test --exec x", "find . -delete",
                              "tar cIf x y", "tar cFf x y", "make --eval=x"}) {
    EXPECT_TRUE(has_hidden_effect(command_of(command).words)) << command;
  }
  for (const char* command :
       {"go test -execute", "find . -name -x", "tar cf x y", "tar", "make x"}) {
    EXPECT_FALSE(has_hidden_effect(command_of(command).words)) << command;
  }
}

TEST(ReadsWholeDirectories, LooksBehindWrappersWithFlags) {
  for (const char* command : {"env -i grep -r x .", "timeout -k 1 5 tar c .", "nice -10 grep -r x",
                              "time -p tar c .", "X=1 tar c .", "git diff --no-index a b",
                              "python3 -m http.server", "python -m zipfile -c x ."}) {
    EXPECT_TRUE(reads_whole_directories(command_of(command).words)) << command;
  }
  for (const char* command : {"echo tar", "npm install tar", "git diff", "python3 x.py", "git",
                              "python3 -m json.tool", "env -i grep x y", "ln"}) {
    EXPECT_FALSE(reads_whole_directories(command_of(command).words)) << command;
  }
  EXPECT_TRUE(lists_whole_directories(command_of("env -i ls -R").words));
  EXPECT_FALSE(lists_whole_directories(command_of("env -i ls").words));
}

// `diff` of two folders shows what is in both.
TEST(CommandFacts, KnowWhichFoldersAreCompared) {
  PolicySettings with{.mode = core::PermissionMode::bypass,
                      .roots = {"/w/app"},
                      .home = "/home/u",
                      .is_folder = [](const std::filesystem::path& path) {
                        const auto plain = path.lexically_normal();
                        return plain == "/w/app" || plain == "/w/app/" || plain == "/w/app/src";
                      }};
  with.rules.deny = {test::rule_of("Read(.env)", RuleEffect::deny)};
  const ModePolicy policy(with);
  EXPECT_FALSE(test::allows(policy, "diff -N . src"));
  EXPECT_FALSE(test::allows(policy, "cd src && diff .. x"));
  EXPECT_TRUE(test::allows(policy, "diff -u a b"));
}

TEST(CommandFacts, TakeTooMuchCodeForOpaque) {
  const ShellPlaces places{.cwd = "/w", .home = "/home/u"};
  std::string word(9'000, 'a');
  word[10] = ' ';
  std::string command = "sed '";
  for (int i = 0; i < 2'000; ++i) command += "e x ";
  command += "'";
  EXPECT_EQ(command_facts(command, places, {}).shell.opaque, "it has too much code in its words");
  EXPECT_FALSE(command_facts("echo '" + word + "'", places, {}).is_opaque());
}

}  // namespace
}  // namespace yume::permissions
