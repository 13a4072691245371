// SPDX-License-Identifier: MIT
// Nobody wants to be asked about reading: of a list of everyday commands nearly all run unasked.
#include "permissions/policy.h"
#include "support/tests_folder.h"
#include "unit/permissions/command_lines.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace yume::permissions {
namespace {

TEST(EverydayCommands, RunUnasked) {
  const ModePolicy policy({.roots = {"/w/app"}, .home = "/home/u", .workspace_trusted = true});
  std::ifstream file(yume::test::tests_folder() + "/unit/permissions/everyday_commands.txt");
  ASSERT_TRUE(file.is_open());
  std::size_t count = 0;
  std::string asked;
  std::size_t asked_count = 0;
  for (std::string command; std::getline(file, command);) {
    if (command.starts_with('#')) continue;
    ++count;
    if (test::allows(policy, command)) continue;
    asked += "\n  " + command;
    ++asked_count;
  }
  EXPECT_GE(count, 300U);
  EXPECT_LE(asked_count * 100, count * 5) << "of " << count << " these are asked for:" << asked;
}

// A denial of one thing is none of everything: what has nothing to do with it runs, and what cannot
// be compared with it is rare.
TEST(EverydayCommands, AreLeftAloneByDenialsOfOthers) {
  const std::vector<test::CommandLine> commands =
      test::read_command_lines("development_commands.txt");
  ASSERT_GE(commands.size(), 130U);
  for (const char* denied :
       {"Read(.env)", "Read(secret/**)", "Edit(.env)", "Bash(curl:*)", "Bash(rm -rf:*)",
        "Bash(git push:*)", "Bash(sudo:*)", "Bash(npm publish:*)"}) {
    PolicySettings with{.mode = core::PermissionMode::bypass,
                        .roots = {"/w/app"},
                        .home = "/home/u",
                        .is_folder = [](const std::filesystem::path&) { return false; }};
    with.rules.deny = {test::rule_of(denied, RuleEffect::deny)};
    const ModePolicy policy(with);
    for (const test::CommandLine& one : commands) {
      EXPECT_TRUE(test::allows(policy, one.command)) << denied << ": " << one.command;
    }
  }
}

TEST(EverydayCommands, NeedATrustedWorkspaceForGit) {
  const ModePolicy policy({.roots = {"/w/app"}, .home = "/home/u", .workspace_trusted = false});
  EXPECT_FALSE(test::allows(policy, "git status"));
  EXPECT_FALSE(test::allows(policy, "ls && git log"));
  EXPECT_TRUE(test::allows(policy, "ls"));
}

}  // namespace
}  // namespace yume::permissions
