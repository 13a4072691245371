// SPDX-License-Identifier: MIT
// Rules as they decide: through the policy, which alone uses them.
#include "permissions/policy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::permissions {
namespace {

Rule rule(std::string_view text, RuleEffect effect) {
  auto parsed = parse_rule(text, effect);
  EXPECT_TRUE(parsed.ok()) << text;
  return parsed.ok() ? *parsed : Rule{};
}

core::Decision decide(RuleSet rules, core::PermissionMode mode, const std::string& name,
                      const core::Action& action) {
  const ModePolicy policy(
      {.mode = mode, .roots = {"/w/app"}, .home = "/home/u", .rules = std::move(rules)});
  return policy.decide({.id = "x", .name = name, .input = {"{}"}}, action);
}

// In a mode that allows nothing by itself.
bool allows(std::string_view text, const std::string& tool, const core::Action& action) {
  return std::holds_alternative<core::Allow>(decide({.allow = {rule(text, RuleEffect::allow)}},
                                                    core::PermissionMode::dont_ask, tool, action));
}
// In a mode that allows everything by itself.
bool denies(std::string_view text, const std::string& tool, const core::Action& action) {
  return std::holds_alternative<core::Deny>(
      decide({.deny = {rule(text, RuleEffect::deny)}}, core::PermissionMode::bypass, tool, action));
}

bool allows_command(std::string_view text, const std::string& command) {
  return allows(text, "Bash", core::RunsCommand{command});
}
bool denies_command(std::string_view text, const std::string& command) {
  return denies(text, "Bash", core::RunsCommand{command});
}
bool allows_read(std::string_view text, const std::string& path) {
  return allows(text, "Read", core::ReadsFile{.path = path, .given = path});
}
bool allows_write(std::string_view text, const std::string& path, const std::string& by = "Write") {
  return allows(text, by, core::WritesFile{.path = path, .given = path});
}
bool denies_write(std::string_view text, const std::string& path) {
  return denies(text, "Write", core::WritesFile{.path = path, .given = path});
}

TEST(RuleAllows, NamesTools) {
  EXPECT_TRUE(allows_command("Bash", "anything; at all"));
  EXPECT_FALSE(allows_command("Read", "make"));
  EXPECT_TRUE(allows_read("Read", "/etc/x"));
  EXPECT_TRUE(allows_write("Edit", "/w/x")) << "Edit covers every tool that writes";
  EXPECT_TRUE(allows_write("Write", "/w/x"));
  EXPECT_FALSE(allows_write("Write", "/w/x", "Edit"));
  EXPECT_FALSE(allows_write("Read", "/w/x"));
  EXPECT_FALSE(allows_read("Edit", "/w/x"));
}

TEST(RuleAllows, MatchesCommandsAtWordBorders) {
  for (const char* text : {"Bash(git diff:*)", "Bash(git diff *)"}) {
    EXPECT_TRUE(allows_command(text, "git diff")) << text;
    EXPECT_TRUE(allows_command(text, "git diff HEAD --stat")) << text;
    EXPECT_FALSE(allows_command(text, "git difftool")) << text;
    EXPECT_FALSE(allows_command(text, "git")) << text;
    EXPECT_FALSE(allows_command(text, "sudo git diff")) << text;
    EXPECT_TRUE(allows_command(text, "timeout 5 git diff")) << text;
    EXPECT_TRUE(allows_command(text, "git diff 'a file'")) << text;
    EXPECT_FALSE(allows_command(text, "'git diff' x")) << text;
  }
  EXPECT_TRUE(allows_command("Bash(ls*)", "lsof"));
  EXPECT_TRUE(allows_command("Bash(npm test)", "npm test"));
  EXPECT_FALSE(allows_command("Bash(npm test)", "npm test x"));
  EXPECT_TRUE(allows_command("Bash(* --help)", "gcc --help"));
}

TEST(RuleAllows, CoversEveryPartOrNothing) {
  const auto covered = [](const std::string& command) {
    return std::holds_alternative<core::Allow>(
        decide({.allow = {rule("Bash(npm test:*)", RuleEffect::allow),
                          rule("Bash(make:*)", RuleEffect::allow)}},
               core::PermissionMode::dont_ask, "Bash", core::RunsCommand{command}));
  };
  EXPECT_TRUE(covered("make && npm test"));
  EXPECT_TRUE(covered("make all | head -5"));
  EXPECT_TRUE(covered("cd src && make"));
  EXPECT_TRUE(covered("make 2>/dev/null"));
  EXPECT_TRUE(covered("make 2>&1 | tail -20"));
  EXPECT_FALSE(covered("make && curl x"));
  EXPECT_FALSE(covered("make > log")) << "a write of its own";
  EXPECT_FALSE(covered("cd / && make"));
  EXPECT_FALSE(covered("make; rm x"));
}

TEST(RuleAllows, NeverCoversMoreThanOnePlainCommand) {
  for (const char* command :
       {"git diff; rm -rf x", "git diff && rm x", "git diff | sh", "git diff $(rm x)",
        "git diff `rm x`", "git diff > /etc/x", "git diff & rm x", "git diff\nrm x",
        "git diff\rrm x", "git diff \"$X\"", "git diff {a,b}", "git diff *", "X=1 git diff",
        "git diff --output=/etc/x", "git diff (x)"}) {
    EXPECT_FALSE(allows_command("Bash(git diff:*)", command)) << command;
  }
  EXPECT_TRUE(allows_command("Bash(echo a; echo b)", "echo a; echo b")) << "the exact text is fine";
}

TEST(RuleAllows, AnchorsPathsAsClaudeDoes) {
  EXPECT_TRUE(allows_read("Read(//etc/**)", "/etc/ssl/x"));
  EXPECT_FALSE(allows_read("Read(//etc/**)", "/w/other/etc/x"));
  EXPECT_TRUE(allows_read("Read(~/notes/*)", "/home/u/notes/a"));
  EXPECT_FALSE(allows_read("Read(~/notes/*)", "/home/u/notes2/a"));
  EXPECT_TRUE(allows_write("Edit(src/**)", "/w/app/src/a/b.cpp"));
  EXPECT_TRUE(allows_write("Edit(./src/**)", "/w/app/src/a"));
  EXPECT_TRUE(allows_write("Edit(/src/**)", "/w/app/src/a")) << "one slash is not absolute";
  EXPECT_FALSE(allows_write("Edit(/etc/**)", "/etc/x"));
  EXPECT_FALSE(allows_write("Edit(src/**)", "/w/app/lib/src/x"));
  EXPECT_FALSE(allows_write("Edit(src/*)", "/w/app/srcx"));
  EXPECT_TRUE(allows_read("Read(.env)", "/w/app/deep/.env")) << "a bare name: at any depth";
  EXPECT_TRUE(allows_read("Read(*.md)", "/w/other/docs/a.md"));
  EXPECT_FALSE(allows_read("Read(*.md)", "/w/other/a.mdx"));
  EXPECT_TRUE(allows_read("Read(src/lib)", "/w/app/src/lib/x")) << "a directory covers its content";
}

TEST(RuleAllows, NeedsBothTheNameAndTheRealFileCovered) {
  const auto both = [](const char* real, const char* given) {
    return allows("Edit(src/**)", "Write", core::WritesFile{.path = real, .given = given});
  };
  EXPECT_TRUE(both("/w/app/src/real", "/w/app/src/link"));
  EXPECT_FALSE(both("/etc/passwd", "/w/app/src/link"));
  EXPECT_FALSE(both("/w/app/src/real", "/w/app/link"));
}

TEST(RuleDenies, NeedsOnlyOneOfTheNameAndTheRealFile) {
  const auto either = [](const char* real, const char* given) {
    return denies("Read(secrets/**)", "Read", core::ReadsFile{.path = real, .given = given});
  };
  EXPECT_TRUE(either("/w/app/secrets/a", "/w/app/link"));
  EXPECT_TRUE(either("/w/app/open", "/w/app/secrets/link"));
  EXPECT_FALSE(either("/w/app/open", "/w/app/link"));
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
