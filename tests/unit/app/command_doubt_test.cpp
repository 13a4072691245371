// SPDX-License-Identifier: MIT
#include "app/commands/command_doubt.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::app {
namespace {

std::string question(const std::vector<std::string>& tokens) {
  const auto doubt = doubt_about(tokens);
  return doubt ? doubt->question : "none";
}

TEST(CommandDoubt, NamesTheNearestCommand) {
  EXPECT_EQ(question({"session", "list"}),
            "There is no command `session`. Did you mean `yume-cli sessions list`?\n"
            "Send \"session list\" to the model as a prompt?");
  EXPECT_EQ(question({"model"}),
            "There is no command `model`. Did you mean `yume-cli models`?\n"
            "Send \"model\" to the model as a prompt?");
  EXPECT_NE(question({"sesions", "show", "abc"}), "none");
  EXPECT_NE(question({"modles", "--json"}), "none");
  EXPECT_NE(question({"doc"}), "none");
}

TEST(CommandDoubt, KnowsTheCommandsOfClaudeCode) {
  EXPECT_EQ(question({"mcp", "list"}),
            "`mcp` is a command of Claude Code that yume-cli does not have.\n"
            "Send \"mcp list\" to the model as a prompt?");
  EXPECT_NE(question({"update"}), "none");
  EXPECT_NE(question({"mcp", "add", "x", "--", "npx", "y"}), "none");
}

TEST(CommandDoubt, SaysWhereACommandStands) {
  EXPECT_EQ(question({"--debug=x", "models"}),
            "A command comes before all flags: `yume-cli models`.\n"
            "Send \"models\" to the model as a prompt?");
}

TEST(CommandDoubt, LetsPromptsPass) {
  for (const std::vector<std::string>& tokens :
       std::vector<std::vector<std::string>>{{},
                                             {"hello"},
                                             {"session list"},
                                             {"model", "the", "data", "as", "a", "graph"},
                                             {"update", "the", "README"},
                                             {"install", "the", "dependencies"},
                                             {"fix", "the", "failing", "test"},
                                             {"models"},
                                             {"models", "--nope"},
                                             {"--", "model"},
                                             {"-p", "model"},
                                             {"--prompt", "model"},
                                             {"--provider", "gemini", "model"},
                                             {"--output-format", "text", "model"},
                                             {"--continue", "model"},
                                             {"--resume", "0", "model"},
                                             {"--help"},
                                             {"--model"}}) {
    EXPECT_EQ(question(tokens), "none") << (tokens.empty() ? "" : tokens.front());
  }
}

TEST(CommandDoubt, KnowsACryForHelp) {
  EXPECT_EQ(doubt_about({"help"}), (CommandDoubt{.asks_for_help = true, .question = {}}));
  EXPECT_EQ(doubt_about({"help", "me"}), std::nullopt);
}

}  // namespace
}  // namespace yume::app
