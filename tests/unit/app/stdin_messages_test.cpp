// SPDX-License-Identifier: MIT
#include "app/stdin_messages.h"

#include <gtest/gtest.h>

#include <string>
#include <variant>

namespace yume::app {
namespace {

TEST(StdinMessages, TakesTheLastOneForThePrompt) {
  const auto read =
      read_stdin_messages(R"( [{"role":"user","content":"a"},{"role":"assistant","content":"b"},)"
                          R"({"role":"user","content":[{"type":"text","text":"c"}]}] )");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->last.text(), "c");
  ASSERT_EQ(read->before.entries.size(), 2U);
  EXPECT_EQ(std::get<core::PastPrompt>(read->before.entries[0]).message.text(), "a");
  EXPECT_EQ(std::get<core::PastReply>(read->before.entries[1]).text, "b");
  EXPECT_EQ(read->system_prompt, std::nullopt);
}

TEST(StdinMessages, ReadsASystemPromptBesideThem) {
  const auto read =
      read_stdin_messages(R"({"systemPrompt":"s","messages":[{"role":"user","content":"a"}]})");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->last.text(), "a");
  EXPECT_TRUE(read->before.entries.empty());
  EXPECT_EQ(read->system_prompt, "s");
}

TEST(StdinMessages, LeavesEveryOtherTextAlone) {
  for (const char* text :
       {"", "hi", "[", "[]", "{}", "[1]", R"([{"role":"user"}])", R"([{"name":"a"}])",
        R"([{"role":"system","content":"a"}])", R"({"messages":[]})",
        R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"}])",
        R"([{"role":"user","content":"a"}] and more)"}) {
    EXPECT_FALSE(read_stdin_messages(text)) << text;
  }
}

}  // namespace
}  // namespace yume::app
