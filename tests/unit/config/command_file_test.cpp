// SPDX-License-Identifier: MIT
#include "config/command_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::config {
namespace {

using Pieces = std::vector<PromptPiece>;
using Strings = std::vector<std::string>;

TEST(CommandFile, SaysInItsHeaderWhatItIs) {
  EXPECT_EQ(parse_command_file("---\n"
                               "description: Fix an issue\n"
                               "argument-hint: [issue] [priority]\n"
                               "allowed-tools: Bash(git add:*), Bash(git commit:*) Read\n"
                               "model: opus\n"
                               "---\n"
                               "Fix $1.\n"),
            (CommandFile{.description = "Fix an issue",
                         .argument_hint = "[issue] [priority]",
                         .allowed_tools = {"Bash(git add:*)", "Bash(git commit:*)", "Read"},
                         .model = "opus",
                         .body = "Fix $1.\n"}));
  const CommandFile skill = parse_command_file(
      "---\nallowed-tools:\n  - Read\n  - Bash(a b)\nmodel: inherit\n"
      "disable-model-invocation: true\nuser-invocable: false\n---\n\n# Title\nText");
  EXPECT_EQ(skill.description, "Title");
  EXPECT_EQ(skill.allowed_tools, (Strings{"Read", "Bash(a b)"}));
  EXPECT_EQ(skill.model, "");
  EXPECT_FALSE(skill.for_model);
  EXPECT_FALSE(skill.for_user);
}

TEST(CommandFile, PutsArgumentsInTheirPlaces) {
  EXPECT_EQ(fill_command("Fix $1 with $2: $ARGUMENTS$3", "12 \"very high\""),
            (Pieces{"Fix 12 with very high: 12 \"very high\""}));
  EXPECT_EQ(fill_command("It costs $10 or $1.50, not $0", "x"),
            (Pieces{"It costs $10 or $1.50, not $0", "\n\nARGUMENTS: x"}));
  EXPECT_EQ(fill_command("Plain", ""), Pieces{"Plain"});
}

TEST(CommandFile, FindsShellCommandsBeforeArgumentsAreThere) {
  EXPECT_EQ(fill_command("State: !`git status $1`\nDo !`$ARGUMENTS` it", "-s"),
            (Pieces{"State: ", ShellPiece{"git status -s"}, "\nDo ", ShellPiece{"-s"}, " it"}));
  EXPECT_EQ(fill_command("Say $ARGUMENTS", "!`rm -rf x`"), Pieces{"Say !`rm -rf x`"});
  EXPECT_EQ(fill_command("no!`x` !`` !`open\n`", ""), Pieces{"no!`x` !`` !`open\n`"});
}

TEST(CommandFile, SplitsArgumentsAsAShellDoes) {
  EXPECT_EQ(split_arguments(" a 'b c'd \"\" \"e"), (Strings{"a", "b cd", "", "e"}));
  EXPECT_EQ(split_arguments(""), Strings{});
}

}  // namespace
}  // namespace yume::config
