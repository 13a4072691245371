// SPDX-License-Identifier: MIT
#include "permissions/sandbox_exclusions.h"

#include <gtest/gtest.h>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

// `link` in the workspace leads to /etc.
std::vector<fs::path> names_of(const fs::path& given) {
  if (given == "/w/link") return {given, "/etc/x"};
  return {given};
}

bool covers(const std::vector<std::string>& patterns, const std::string& command) {
  const SandboxExclusions exclusions(patterns,
                                     {.roots = {"/w"}, .home = "/home/u", .file_names = names_of});
  return exclusions.cover(command, "/w");
}

TEST(SandboxExclusions, NameProgramsOrCommands) {
  EXPECT_TRUE(covers({"docker"}, "docker"));
  EXPECT_TRUE(covers({"docker"}, "docker ps -a"));
  EXPECT_FALSE(covers({"docker"}, "docker-compose up"));
  EXPECT_TRUE(covers({"docker *"}, "docker ps"));
  EXPECT_TRUE(covers({"docker:*"}, "docker ps"));
  EXPECT_TRUE(covers({"git push"}, "git push"));
  EXPECT_FALSE(covers({"git push"}, "git push --force"));
  EXPECT_FALSE(covers({}, "docker ps"));
}

TEST(SandboxExclusions, TakeACommandOutOnlyAsAWhole) {
  EXPECT_FALSE(covers({"docker"}, "docker ps; rm -rf src"));
  EXPECT_FALSE(covers({"docker"}, "docker ps && make"));
  EXPECT_FALSE(covers({"docker"}, "docker ps $(make)"));
  EXPECT_FALSE(covers({"docker"}, "PATH=/w docker ps"));
  EXPECT_FALSE(covers({"docker"}, "ls"));
  EXPECT_TRUE(covers({"docker", "make"}, "make && docker ps"));
  EXPECT_TRUE(covers({"docker"}, "docker ps | head -3"));
}

TEST(SandboxExclusions, KeepRedirectionsInsideTheWorkspace) {
  EXPECT_TRUE(covers({"docker"}, "docker ps > list"));
  EXPECT_TRUE(covers({"docker"}, "docker ps 2>/dev/null"));
  EXPECT_FALSE(covers({"docker"}, "docker ps > ~/.bashrc"));
  EXPECT_FALSE(covers({"docker"}, "docker ps > /etc/x"));
  EXPECT_FALSE(covers({"docker"}, "docker ps > link"));
  EXPECT_FALSE(covers({"docker"}, "docker ps > .git/hooks/pre-commit"));
  EXPECT_FALSE(covers({"docker"}, "docker login < /etc/passwd"));
}

}  // namespace
}  // namespace yume::permissions
