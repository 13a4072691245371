// SPDX-License-Identifier: MIT
#include "app/restricting_flags.h"

#include <gtest/gtest.h>

namespace yume::app {
namespace {

TEST(UnknownRestriction, RefusesFlagsThatPromiseOne) {
  for (const char* flag :
       {"--disallowed-tool", "--disalowedTools", "--read-only",      "--readonly",
        "--deny-network",    "--deny",           "--no-shell-tools", "--no-bash",
        "--restricted-mode", "--safe",           "--block-network",  "--sandbx",
        "--permisson-mode",  "--forbid-writes",  "--setting-source", "--exclude-tools",
        "--disable-bash",    "--disable-tools",  "--only-tools",     "--limit-tools",
        "--without-tools",   "--dont-allow",     "--no-shell",       "--no-exec",
        "--noexec",          "--offline",        "--plan",           "--strict-permissions",
        "--permission"}) {
    EXPECT_TRUE(unknown_restriction({flag})) << flag;
  }
}

TEST(UnknownRestriction, NamesWhatWasProbablyMeant) {
  EXPECT_EQ(unknown_restriction({"--verbos", "--disallowed-tool"}),
            "error: unknown option '--disallowed-tool': its name promises a restriction, which "
            "nothing would keep. Did you mean '--disallowed-tools'? `yume-cli --help` lists the "
            "options.");
}

TEST(UnknownRestriction, LeavesFlagsOfTheFutureAlone) {
  for (const char* flag :
       {"--frob", "--prompt-suggestions-v2", "--teleport", "--remote-control",
        "--enable-auto-updates", "--no-color", "--theme", "-x", "-q", "--disable-slash-commands",
        "--no-tool-summaries", "--only-errors", "--exclude-dynamic-sections"}) {
    EXPECT_FALSE(unknown_restriction({flag})) << flag;
  }
}

}  // namespace
}  // namespace yume::app
