// SPDX-License-Identifier: MIT
#include "core/agent_definition.h"

#include <gtest/gtest.h>

namespace yume::core {
namespace {

using Names = std::vector<std::string>;

TEST(AgentDefinition, ReadsListsOfToolsByAnyOfTheirNames) {
  std::string refused;
  EXPECT_EQ(read_tool_names({"Read, Grep", "Task", "run_shell_command"}, refused),
            (Names{"Read", "Grep", "Agent", "Bash"}));
  EXPECT_EQ(refused, "");
}

TEST(AgentDefinition, TakesAStarForAllTools) {
  std::string refused;
  EXPECT_EQ(read_tool_names({"*"}, refused), std::nullopt);
}

TEST(AgentDefinition, SaysWhichEntryIsAboutAPartOfATool) {
  std::string refused;
  read_tool_names({"Read", "Bash(git diff:*)"}, refused);
  EXPECT_EQ(refused, "Bash(git diff:*)");
}

TEST(AgentDefinition, TakesTheNameOfAServerForItsTools) {
  for (const char* entry : {"mcp__sky", "mcp__sky__*"}) {
    const AgentDefinition agent{
        .name = "a", .description = "", .prompt = "", .tools = Names{entry}};
    EXPECT_TRUE(agent.has_tool("mcp__sky__rain")) << entry;
    EXPECT_FALSE(agent.has_tool("mcp__skyline__rain")) << entry;
    EXPECT_FALSE(agent.has_tool("Read")) << entry;
  }
  const AgentDefinition without{
      .name = "a", .description = "", .prompt = "", .disallowed_tools = {"mcp__sky"}};
  EXPECT_FALSE(without.has_tool("mcp__sky__rain"));
  EXPECT_TRUE(without.has_tool("mcp__sea__tide"));
}

TEST(AgentDefinition, LeavesTheToolsThatAreNamedAndNotDisallowed) {
  const AgentDefinition all{.name = "a", .description = "", .prompt = ""};
  EXPECT_TRUE(all.has_tool("Bash"));
  const AgentDefinition few{.name = "a",
                            .description = "",
                            .prompt = "",
                            .tools = Names{"Read", "Bash"},
                            .disallowed_tools = {"Bash"}};
  EXPECT_TRUE(few.has_tool("Read"));
  EXPECT_FALSE(few.has_tool("Bash"));
  EXPECT_FALSE(few.has_tool("Write"));
}

TEST(AgentDefinition, WantsNamesOfOneWord) {
  EXPECT_TRUE(is_agent_name("my-plugin:reviewer"));
  EXPECT_FALSE(is_agent_name(""));
  EXPECT_FALSE(is_agent_name("two words"));
  EXPECT_FALSE(is_agent_name("a\nb"));
  EXPECT_FALSE(is_agent_name(std::string(65, 'a')));
}

}  // namespace
}  // namespace yume::core
