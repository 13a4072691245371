// SPDX-License-Identifier: MIT
#include "config/agent_files.h"

#include <gtest/gtest.h>

namespace yume::config {
namespace {

using core::AgentSource;

std::string error_of(std::string_view text) {
  const auto agent = parse_agent_file(text, AgentSource::user_file);
  return agent.ok() ? "" : agent.error().message;
}

TEST(AgentFile, HasAHeaderAndThePrompt) {
  const auto agent = parse_agent_file(
      "---\nname: reviewer\ndescription: Reviews code\ntools: Read, Grep\nmodel: haiku\n"
      "permissionMode: plan\nmaxTurns: 7\n---\n\nYou review.\nBe brief.\n",
      AgentSource::project_file);
  ASSERT_TRUE(agent.ok()) << agent.error().message;
  EXPECT_EQ(*agent, (core::AgentDefinition{.name = "reviewer",
                                           .description = "Reviews code",
                                           .prompt = "You review.\nBe brief.\n",
                                           .tools = std::vector<std::string>{"Read", "Grep"},
                                           .model = "haiku",
                                           .mode = core::PermissionMode::plan,
                                           .max_turns = 7,
                                           .source = AgentSource::project_file}));
}

TEST(AgentFile, InheritsWhatItDoesNotName) {
  const auto agent =
      parse_agent_file("---\nname: a\ndescription: b\nmodel: inherit\ncolor: red\n---\nPrompt",
                       AgentSource::user_file);
  ASSERT_TRUE(agent.ok());
  EXPECT_EQ(agent->tools, std::nullopt);
  EXPECT_EQ(agent->model, "");
  EXPECT_EQ(agent->mode, std::nullopt);
}

TEST(AgentFile, TakesAListOfToolsOverSeveralLines) {
  const auto agent = parse_agent_file(
      "---\nname: a\ndescription: b\ntools:\n  - Read\n  - Bash\ndisallowedTools: [Write]\n---\n",
      AgentSource::user_file);
  ASSERT_TRUE(agent.ok());
  EXPECT_EQ(agent->tools, (std::vector<std::string>{"Read", "Bash"}));
  EXPECT_EQ(agent->disallowed_tools, std::vector<std::string>{"Write"});
}

TEST(AgentFile, IsRefusedWhenItsLimitsWouldNotBeKept) {
  const std::string head = "---\nname: a\ndescription: b\n";
  EXPECT_NE(error_of(head + "tools: Bash(git diff:*)\n---\n").find("parts of a tool"),
            std::string::npos);
  EXPECT_NE(error_of(head + "permissionMode: sometimes\n---\n").find("not known"),
            std::string::npos);
  EXPECT_NE(error_of(head + "maxTurns: many\n---\n").find("no positive number"), std::string::npos);
  EXPECT_NE(error_of(head + "isolation: worktree\n---\n").find("not supported"), std::string::npos);
}

TEST(AgentFile, NeedsNameAndDescription) {
  EXPECT_EQ(error_of("Just text"), "its header has no name");
  EXPECT_EQ(error_of("---\nname: a\n---\n"), "its header has no description");
}

}  // namespace
}  // namespace yume::config
