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

TEST(EverydayCommands, NeedATrustedWorkspaceForGit) {
  const ModePolicy policy({.roots = {"/w/app"}, .home = "/home/u", .workspace_trusted = false});
  EXPECT_FALSE(test::allows(policy, "git status"));
  EXPECT_FALSE(test::allows(policy, "ls && git log"));
  EXPECT_TRUE(test::allows(policy, "ls"));
}

}  // namespace
}  // namespace yume::permissions
