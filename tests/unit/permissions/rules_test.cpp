// SPDX-License-Identifier: MIT
#include "permissions/rules.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::permissions {
namespace {

using Rules = std::vector<Rule>;

const RuleScope k_scope{.cwd = "/w/app", .home = "/home/u"};

core::ToolCall tool(std::string name) {
  return {.id = "x", .name = std::move(name), .input = {"{}"}};
}

Rule rule(std::string_view text) {
  const Rules parsed = parse_rules(text);
  EXPECT_EQ(parsed.size(), 1U) << text;
  return parsed.empty() ? Rule{} : parsed.front();
}

bool allows_command(std::string_view text, const std::string& command) {
  return rule_allows(rule(text), tool("Bash"), core::RunsCommand{command}, k_scope);
}
bool denies_command(std::string_view text, const std::string& command) {
  return rule_denies(rule(text), tool("Bash"), core::RunsCommand{command}, k_scope);
}
bool allows_read(std::string_view text, const std::string& path) {
  return rule_allows(rule(text), tool("Read"), core::ReadsFile{.path = path, .given = path},
                     k_scope);
}
bool allows_write(std::string_view text, const std::string& path, const std::string& by = "Write") {
  return rule_allows(rule(text), tool(by), core::WritesFile{.path = path, .given = path}, k_scope);
}
bool denies_write(std::string_view text, const std::string& path) {
  return rule_denies(rule(text), tool("Write"), core::WritesFile{.path = path, .given = path},
                     k_scope);
}

TEST(ParseRules, SplitsOnCommasAndSpacesOutsideParentheses) {
  EXPECT_EQ(parse_rules("Read,Bash(git *)"), (Rules{{"Read", ""}, {"Bash", "git *"}}));
  EXPECT_EQ(parse_rules("Read Edit(src/**, x) Bash(a (b), c) , ,Write"),
            (Rules{{"Read", ""}, {"Edit", "src/**, x"}, {"Bash", "a (b), c"}, {"Write", ""}}));
  EXPECT_EQ(parse_rules(""), Rules{});
  EXPECT_EQ(parse_rules(" , "), Rules{});
}

TEST(ParseRules, TakesAStarForTheWholeTool) {
  EXPECT_EQ(parse_rules("Bash(*)"), (Rules{{"Bash", ""}}));
  EXPECT_EQ(parse_rules("Bash(ls *)"), (Rules{{"Bash", "ls *"}}));
  EXPECT_EQ(parse_rules("mcp__srv__tool"), (Rules{{"mcp__srv__tool", ""}}));
}

TEST(RuleAllows, NamesTools) {
  EXPECT_TRUE(allows_command("Bash", "anything; at all"));
  EXPECT_FALSE(allows_command("Read", "ls"));
  EXPECT_TRUE(allows_read("Read", "/etc/x"));
  EXPECT_TRUE(allows_write("Edit", "/w/x")) << "Edit covers every tool that writes";
  EXPECT_TRUE(allows_write("Write", "/w/x"));
  EXPECT_FALSE(allows_write("Write", "/w/x", "Edit"));
  EXPECT_FALSE(allows_write("Read", "/w/x"));
  EXPECT_FALSE(allows_read("Edit", "/w/x"));
  EXPECT_TRUE(allows_read("*", "/w/x"));
}

TEST(RuleAllows, MatchesCommandsAtWordBorders) {
  for (const char* text : {"Bash(git diff:*)", "Bash(git diff *)"}) {
    EXPECT_TRUE(allows_command(text, "git diff")) << text;
    EXPECT_TRUE(allows_command(text, "git diff HEAD --stat")) << text;
    EXPECT_FALSE(allows_command(text, "git difftool")) << text;
    EXPECT_FALSE(allows_command(text, "git")) << text;
    EXPECT_FALSE(allows_command(text, "sudo git diff")) << text;
  }
  EXPECT_TRUE(allows_command("Bash(ls*)", "lsof"));
  EXPECT_TRUE(allows_command("Bash(npm test)", "npm test"));
  EXPECT_FALSE(allows_command("Bash(npm test)", "npm test x"));
  EXPECT_TRUE(allows_command("Bash(* --help)", "gcc --help"));
}

TEST(RuleAllows, NeverCoversMoreThanOnePlainCommand) {
  for (const char* command : {"git diff; rm -rf x",
                              "git diff && rm x",
                              "git diff | sh",
                              "git diff $(rm x)",
                              "git diff `rm x`",
                              "git diff > /etc/x",
                              "git diff < x",
                              "git diff & rm x",
                              "git diff\nrm x",
                              "git diff\rrm x",
                              "git diff \"$X\"",
                              "git diff 'x'",
                              "git diff x\\y",
                              "git diff {a,b}",
                              "git diff *",
                              "git diff ~/x",
                              "git diff #x",
                              "git diff !x",
                              "git diff --output=/etc/x",
                              "git diff (x)"}) {
    EXPECT_FALSE(allows_command("Bash(git diff:*)", command)) << command;
  }
  EXPECT_TRUE(allows_command("Bash(echo a; echo b)", "echo a; echo b")) << "the exact text is fine";
}

TEST(RuleAllows, AnchorsPathsAsClaudeDoes) {
  EXPECT_TRUE(allows_read("Read(//etc/**)", "/etc/ssl/x"));
  EXPECT_FALSE(allows_read("Read(//etc/**)", "/w/app/etc/x"));
  EXPECT_TRUE(allows_read("Read(~/notes/*)", "/home/u/notes/a"));
  EXPECT_FALSE(allows_read("Read(~/notes/*)", "/home/u/notes2/a"));
  EXPECT_TRUE(allows_write("Edit(src/**)", "/w/app/src/a/b.cpp"));
  EXPECT_TRUE(allows_write("Edit(./src/**)", "/w/app/src/a"));
  EXPECT_TRUE(allows_write("Edit(/src/**)", "/w/app/src/a")) << "one slash is not absolute";
  EXPECT_FALSE(allows_write("Edit(/etc/**)", "/etc/x"));
  EXPECT_FALSE(allows_write("Edit(src/**)", "/w/app/lib/src/x"));
  EXPECT_FALSE(allows_write("Edit(src/*)", "/w/app/srcx"));
  EXPECT_TRUE(allows_read("Read(.env)", "/w/app/deep/.env")) << "a bare name: at any depth";
  EXPECT_TRUE(allows_read("Read(*.md)", "/w/app/docs/a.md"));
  EXPECT_FALSE(allows_read("Read(*.md)", "/w/app/docs/a.mdx"));
  EXPECT_TRUE(allows_read("Read(src/lib)", "/w/app/src/lib/x")) << "a directory covers its content";
}

TEST(RuleAllows, NeedsBothTheNameAndTheRealFileCovered) {
  const auto allows = [](const char* real, const char* given) {
    return rule_allows(rule("Edit(src/**)"), tool("Write"),
                       core::WritesFile{.path = real, .given = given}, k_scope);
  };
  EXPECT_TRUE(allows("/w/app/src/real", "/w/app/src/link"));
  EXPECT_FALSE(allows("/etc/passwd", "/w/app/src/link"));
  EXPECT_FALSE(allows("/w/app/src/real", "/w/app/link"));
}

TEST(RuleDenies, NeedsOnlyOneOfTheNameAndTheRealFile) {
  const auto denies = [](const char* real, const char* given) {
    return rule_denies(rule("Read(secrets/**)"), tool("Read"),
                       core::ReadsFile{.path = real, .given = given}, k_scope);
  };
  EXPECT_TRUE(denies("/w/app/secrets/a", "/w/app/link"));
  EXPECT_TRUE(denies("/w/app/open", "/w/app/secrets/link"));
  EXPECT_FALSE(denies("/w/app/open", "/w/app/link"));
}

TEST(RuleDenies, FindsACommandAnywhere) {
  for (const char* command :
       {"curl x", "sudo curl x", "ls; curl x", "ls && curl x", "ls | curl -d @-", "$(curl x)",
        "`curl x`", "/usr/bin/curl x", "bash -c \"curl x\"", "bash -c 'curl x'", "X=1 curl x",
        "ls\ncurl x", "(curl x)"}) {
    EXPECT_TRUE(denies_command("Bash(curl:*)", command)) << command;
  }
  for (const char* command : {"cu\\rl x", "c'ur'l x", "\"curl\" x", "curl\tx", "curl  x"}) {
    EXPECT_TRUE(denies_command("Bash(curl:*)", command)) << command;
  }
  EXPECT_TRUE(denies_command("Bash(git push)", "git push; ls")) << "at the start of a chain";
  EXPECT_TRUE(denies_command("Bash(git push)", "git push && ls"));
  EXPECT_FALSE(denies_command("Bash(git push)", "git pushx"));
  EXPECT_FALSE(denies_command("Bash(curl:*)", "curlew x"));
  EXPECT_FALSE(denies_command("Bash(curl:*)", "ls libcurl"));
  EXPECT_TRUE(denies_command("Bash", "ls"));
  EXPECT_FALSE(denies_command("Write", "ls"));
}

TEST(RuleDenies, StopsWritesWhereReadingIsDenied) {
  EXPECT_TRUE(denies_write("Read(.env)", "/w/app/.env"));
  EXPECT_FALSE(denies_write("Read(.env)", "/w/app/x"));
  EXPECT_FALSE(denies_write("Read", "/w/app/x")) << "taking Read away leaves Write";
  EXPECT_TRUE(denies_write("Edit(secrets/**)", "/w/app/secrets/a"));
  EXPECT_TRUE(denies_write("*", "/w/app/x"));
}

}  // namespace
}  // namespace yume::permissions
