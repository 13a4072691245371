// SPDX-License-Identifier: MIT
#include "mcp/messages.h"

#include "mcp/sse_connection.h"
#include "mcp/tool_names.h"

#include <gtest/gtest.h>

namespace yume::mcp {
namespace {

TEST(McpMessages, IntroducesItselfAsClaudeCode) {
  EXPECT_EQ(initialize_params({.version = "2.1.325"}).text,
            R"({"protocolVersion":"2025-11-25","capabilities":{"roots":{}},"clientInfo":)"
            R"({"name":"claude-code","title":"yume-cli","version":"2.1.325"}})");
  EXPECT_NE(initialize_params({.version = "1", .can_elicit = true}).text.find("elicitation"),
            std::string::npos);
}

TEST(McpMessages, ReadsWhatAServerSaysOfItself) {
  const auto hello = read_hello({R"({"protocolVersion":"2025-03-26","capabilities":{"tools":{},
      "prompts":{}},"serverInfo":{"name":"n","version":"1"},"instructions":"Be kind."})"});
  ASSERT_TRUE(hello.ok());
  const ServerHello expected{.protocol_version = "2025-03-26",
                             .name = "n",
                             .version = "1",
                             .instructions = "Be kind.",
                             .has_tools = true,
                             .has_prompts = true};
  EXPECT_EQ(*hello, expected);
}

TEST(McpMessages, RefusesAnUnknownRevision) {
  const auto hello = read_hello({R"({"protocolVersion":"1999-01-01"})"});
  ASSERT_FALSE(hello.ok());
  EXPECT_NE(hello.error().message.find("1999-01-01"), std::string::npos);
  EXPECT_FALSE(read_hello({"[]"}).ok());
  EXPECT_FALSE(read_hello({"7"}).ok());
  EXPECT_FALSE(read_hello({"{"}).ok());
}

TEST(McpMessages, ReadsToolsAndPassesOverWhatIsNone) {
  const auto page = read_tools({R"({"tools":[
      {"name":"a","description":"d","inputSchema":{"type":"object"},
       "annotations":{"readOnlyHint":true,"destructiveHint":"yes"}},
      {"description":"has no name"}, 7, {"name":"b","inputSchema":"none"}],"nextCursor":"more"})"});
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->next, "more");
  ASSERT_EQ(page->items.size(), 2U);
  EXPECT_EQ(page->items[0].input_schema.text, R"({"type":"object"})");
  EXPECT_TRUE(page->items[0].facts.read_only);
  EXPECT_FALSE(page->items[0].facts.destructive);
  EXPECT_EQ(page->items[1].input_schema.text, "{}");
  EXPECT_FALSE(read_tools({R"({"tools":{}})"}).ok());
}

TEST(McpMessages, ListsHaveALimit) {
  std::string many = R"({"tools":[)";
  for (int i = 0; i < 3000; ++i) many += (i == 0 ? "" : ",") + std::string(R"({"name":"t"})");
  const auto page = read_tools({many + "]}"});
  ASSERT_TRUE(page.ok());
  EXPECT_EQ(page->items.size(), 1000U);
}

TEST(McpMessages, ReadsPromptsAndFillsThemIn) {
  const auto page = read_prompts({R"({"prompts":[{"name":"p","arguments":[
      {"name":"who","required":true},{"nameless":1}]}]})"});
  ASSERT_TRUE(page.ok());
  ASSERT_EQ(page->items.size(), 1U);
  ASSERT_EQ(page->items[0].arguments.size(), 1U);
  EXPECT_TRUE(page->items[0].arguments[0].required);
  EXPECT_EQ(prompt_params("p", {{"who", "me"}}).text, R"({"name":"p","arguments":{"who":"me"}})");
  const auto message = read_prompt({R"({"messages":[
      {"role":"user","content":{"type":"text","text":"Hello"}},
      {"role":"user","content":{"type":"resource","resource":{"uri":"u","text":"inside"}}}]})"});
  ASSERT_TRUE(message.ok());
  EXPECT_EQ(message->text(), "Hello\ninside");
}

TEST(McpMessages, ProgressNeedsAToken) {
  EXPECT_EQ(read_progress({R"({"progressToken":7,"message":"m"})"})->token, "7");
  EXPECT_EQ(read_progress({R"({"progressToken":"x"})"})->token, "\"x\"");
  EXPECT_FALSE(read_progress({R"({"progressToken":{}})"}));
  EXPECT_FALSE(read_progress({"[]"}));
}

TEST(McpToolNames, AreWhatTheModelsServerTakes) {
  EXPECT_EQ(tool_name("my server", "do.it"), "mcp__my_server__do_it");
  const std::string longest(100, 'x');
  const std::string cut = tool_name("s", longest);
  EXPECT_EQ(cut.size(), 64U);
  EXPECT_NE(cut, tool_name("s", longest + "y"));
}

TEST(McpSse, PlacesForMessagesAreOfTheSameOrigin) {
  const auto address = [](const char* named) {
    const auto out = endpoint_address("https://h:1/a/sse", named);
    return out.ok() ? *out : std::string("refused");
  };
  EXPECT_EQ(address("/messages?id=1"), "https://h:1/messages?id=1");
  EXPECT_EQ(address("https://h:1/m"), "https://h:1/m");
  EXPECT_EQ(address("m?id=1"), "https://h:1/a/m?id=1");
  EXPECT_EQ(address("https://other/m"), "refused");
  EXPECT_EQ(address("//other/m"), "refused");
  EXPECT_EQ(address("https://h:11/m"), "refused");
}

}  // namespace
}  // namespace yume::mcp
