// SPDX-License-Identifier: MIT
#include "protocol/claude/agent_definitions.h"

#include <gtest/gtest.h>

namespace yume::protocol {
namespace {

using core::AgentSource;

std::string error_of(std::string_view text) {
  const auto agents = parse_agents(text, AgentSource::command_line);
  return agents.ok() ? "" : agents.error().message;
}

TEST(AgentDefinitions, ReadsWhatTheSdkSends) {
  const auto agents = parse_agents(
      R"({"a":{"description":"d","prompt":"p"},)"
      R"("b":{"description":"e","prompt":"q","tools":["Read","Task"],"disallowedTools":["Bash"],)"
      R"("model":"opus","maxTurns":3,"permissionMode":"plan","background":true,"skills":["x"]}})",
      AgentSource::host);
  ASSERT_TRUE(agents.ok()) << agents.error().message;
  ASSERT_EQ(agents->size(), 2U);
  EXPECT_EQ((*agents)[0],
            (core::AgentDefinition{
                .name = "a", .description = "d", .prompt = "p", .source = AgentSource::host}));
  EXPECT_EQ((*agents)[1], (core::AgentDefinition{.name = "b",
                                                 .description = "e",
                                                 .prompt = "q",
                                                 .tools = std::vector<std::string>{"Read", "Agent"},
                                                 .disallowed_tools = {"Bash"},
                                                 .model = "opus",
                                                 .mode = core::PermissionMode::plan,
                                                 .max_turns = 3,
                                                 .in_background = true,
                                                 .source = AgentSource::host}));
}

TEST(AgentDefinitions, SaysWhatIsWrongWithWhichAgent) {
  EXPECT_EQ(error_of("{"), "agents are no valid JSON");
  EXPECT_EQ(error_of("[]"), "agents must be a JSON object, with a name for each agent");
  EXPECT_EQ(error_of(R"({"a":1})"), "the agent 'a' is no JSON object");
  EXPECT_EQ(error_of(R"({"a":{"description":"d"}})"), "the agent 'a' has no prompt");
  EXPECT_EQ(error_of(R"({"a":{"prompt":"d"}})"), "the agent 'a' has no description");
  const std::string begin = R"({"a":{"description":"d","prompt":"p",)";
  EXPECT_EQ(error_of(begin + R"("tools":{"Read":true}}})"),
            "the agent 'a' has tools that are no list of names");
  EXPECT_EQ(error_of(begin + R"("maxTurns":0}})"),
            "the agent 'a' has maxTurns that are no positive number");
  EXPECT_EQ(error_of(begin + R"("permissionMode":"sometimes"}})"),
            "the agent 'a' has a permissionMode that is not known");
}

}  // namespace
}  // namespace yume::protocol
