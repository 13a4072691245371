// SPDX-License-Identifier: MIT
#include "platform/access.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "support/forked.h"
#include "support/temporary_directory.h"

namespace yume {
namespace {

namespace fs = std::filesystem;

TEST(Access, AnExecutableIsARegularFileThatMayBeRun) {
  const test::TemporaryDirectory scratch;
  const fs::path file = scratch.path() / "program";
  std::ofstream(file) << "x";
  EXPECT_FALSE(platform::is_executable_file(file));
  fs::permissions(file, fs::perms::owner_all);
  EXPECT_TRUE(platform::is_executable_file(file));
  EXPECT_FALSE(platform::is_executable_file(scratch.path())) << "a directory";
  EXPECT_FALSE(platform::is_executable_file(scratch.path() / "missing"));
}

TEST(Access, ADirectoryThatCouldBeMadeIsWritableAndIsNotMade) {
  const test::TemporaryDirectory scratch;
  EXPECT_TRUE(platform::check_writable_directory(scratch.path()).ok());
  EXPECT_TRUE(platform::check_writable_directory(scratch.path() / "a" / "b").ok());
  EXPECT_FALSE(fs::exists(scratch.path() / "a"));
}

TEST(Access, WhatStandsInTheWayIsNamed) {
  const test::TemporaryDirectory scratch;
  const fs::path file = scratch.path() / "file";
  std::ofstream(file) << "x";
  const auto below = platform::check_writable_directory(file);
  ASSERT_FALSE(below.ok());
  EXPECT_NE(below.error().message.find(file.string()), std::string::npos);
  EXPECT_FALSE(platform::check_writable_directory(file / "inside").ok());
  EXPECT_FALSE(platform::check_writable_directory("").ok());
}

TEST(Access, ADirectoryWithoutRoomIsNotWritable) {
  const test::TemporaryDirectory scratch;
  EXPECT_EQ(test::exit_code_of([&scratch] {
              ::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{100, 100};  // what fits on a disk that is as good as full
              if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) return 2;
              return platform::check_writable_directory(scratch.path()).ok() ? 1 : 0;
            }),
            0);
  EXPECT_TRUE(fs::is_empty(scratch.path())) << "nothing is left behind";
}

// Root may write anywhere, so this one asks as somebody else.
TEST(Access, ADirectoryOfOthersIsNotWritable) {
  const test::TemporaryDirectory scratch;
  fs::permissions(scratch.path(), fs::perms::owner_read | fs::perms::owner_exec);
  EXPECT_EQ(test::exit_code_of([&scratch] {
              if (::geteuid() == 0 && (::setgid(65534) != 0 || ::setuid(65534) != 0)) return 2;
              return platform::check_writable_directory(scratch.path() / "new").ok() ? 1 : 0;
            }),
            0);
  fs::permissions(scratch.path(), fs::perms::owner_all);
}

}  // namespace
}  // namespace yume
