// SPDX-License-Identifier: MIT
#include "app/argument_warnings.h"

#include <gtest/gtest.h>

namespace yume::app {
namespace {

using Strings = std::vector<std::string>;

Strings warnings(const Strings& tokens) {
  return argument_warnings(*parse_arguments(tokens), {"Read", "Bash"});
}

TEST(ArgumentWarnings, AreNotNeededForWhatIsClear) {
  EXPECT_EQ(warnings({"fix", "the", "test"}), Strings{});
  EXPECT_EQ(warnings({"--allowedTools", "Read", "Bash(git diff:*)", "mcp__a__b", "--", "fix it"}),
            Strings{});
  EXPECT_EQ(warnings({"--tools", "default", "-p", "fix"}), Strings{});
}

TEST(ArgumentWarnings, NameUnknownOptionsAndTheWordsTheyTook) {
  EXPECT_EQ(warnings({"--nope", "fix", "the", "test"}),
            (Strings{"warning: unknown option '--nope' is ignored",
                     "warning: 'fix' was taken for the value of an unknown option; put the prompt "
                     "in quotes, first or behind --"}));
  EXPECT_EQ(warnings({"--nope=1", "fix"}), Strings{"warning: unknown option '--nope' is ignored"});
}

TEST(ArgumentWarnings, NameWordsThatAListTook) {
  EXPECT_EQ(warnings({"--allowedTools", "Read", "fix", "the", "test"}),
            Strings{"warning: 'fix the test' was taken for a part of --allowed-tools; put the "
                    "prompt in quotes, first or behind --"});
}

}  // namespace
}  // namespace yume::app
