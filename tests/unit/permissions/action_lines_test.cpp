// SPDX-License-Identifier: MIT
// What `yume-cli permissions explain` says a call would do.
#include "permissions/policy.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::permissions {
namespace {

using Lines = std::vector<std::string>;

Lines lines_for(const core::Action& action) {
  const ModePolicy policy({.roots = {"/w"}, .home = "/home/u"});
  return policy.judge({.id = "x", .name = "Tool", .input = {"{}"}}, action).actions;
}

TEST(ActionLines, NameTheOneThingThatIsTouched) {
  EXPECT_EQ(lines_for(core::ReadsFile{.path = "/w/a"}), Lines{"reads  /w/a"});
  EXPECT_EQ(lines_for(core::WritesFile{.path = "/w/a"}), Lines{"writes /w/a"});
  EXPECT_EQ(lines_for(core::ReachesHost{"a.com"}), Lines{"fetches from a.com"});
  EXPECT_EQ(lines_for(core::SearchesWeb{"x"}), Lines{"searches for x"});
  EXPECT_EQ(lines_for(core::StaysInSession{}), Lines{"stays inside the session"});
  EXPECT_EQ(lines_for(core::CallsServer{.server = "files", .tool = "move"}),
            Lines{"calls move of the MCP server files"});
  EXPECT_EQ(lines_for(core::StartsAgent{.type = "Plan"}), Lines{"starts the subagent Plan"});
  EXPECT_EQ(lines_for(core::AsksPerson{}), Lines{"asks the user"});
}

TEST(ActionLines, TakeACommandApart) {
  EXPECT_EQ(lines_for(core::RunsCommand{"CI=1 make -j > log < in; X=1"}),
            (Lines{"runs   CI=1 make -j", "writes log", "reads  in"}));
  EXPECT_EQ(lines_for(core::RunsCommand{"ls"}), (Lines{"runs   ls", "proven to read only"}));
  EXPECT_EQ(lines_for(core::RunsCommand{"rm -rf /"}),
            (Lines{"runs   rm -rf /", "removes something vital"}));
  EXPECT_EQ(lines_for(core::RunsCommand{""}), Lines{});
}

TEST(ActionLines, SayWhatCannotBeRead) {
  const Lines lines = lines_for(core::RunsCommand{"echo $X"});
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(lines[0], "runs   echo $X");
  EXPECT_TRUE(lines[1].starts_with("opaque: ")) << lines[1];
}

}  // namespace
}  // namespace yume::permissions
