// SPDX-License-Identifier: MIT
#include "util/front_matter.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume {
namespace {

using Strings = std::vector<std::string>;

TEST(FrontMatter, ReadsPlainQuotedAndListedValues) {
  const MarkdownFile file = read_markdown(
      "---\n"
      "name: fix\n"
      "description: \"Fix: the \\\"thing\\\"\"\n"
      "single: 'it''s'\n"
      "# a comment\n"
      "hint: [issue] # note\n"
      "tools: Read, Bash(git diff:*, x)\n"
      "list: [a, \"b, c\", d(e, f)]\n"
      "block:\n"
      "  - one\n"
      "  - \"two\"\n"
      "flag: true\n"
      "---\n"
      "\n"
      "Body --- here\n");
  EXPECT_EQ(file.header.text("name"), "fix");
  EXPECT_EQ(file.header.text("description"), "Fix: the \"thing\"");
  EXPECT_EQ(file.header.text("single"), "it's");
  EXPECT_EQ(file.header.text("tools"), "Read, Bash(git diff:*, x)");
  EXPECT_EQ(file.header.list("list"), (Strings{"a", "b, c", "d(e, f)"}));
  EXPECT_EQ(file.header.list("block"), (Strings{"one", "two"}));
  EXPECT_EQ(file.header.written("list"), "[a, \"b, c\", d(e, f)]");
  EXPECT_EQ(file.header.flag("flag"), true);
  EXPECT_EQ(file.header.flag("name"), std::nullopt);
  EXPECT_EQ(file.header.text("absent"), "");
  EXPECT_EQ(file.body, "Body --- here\n");
}

TEST(FrontMatter, ReadsTextsOfSeveralLines) {
  const MarkdownFile file = read_markdown(
      "---\r\n"
      "kept: |\r\n"
      "  one\r\n"
      "    two\r\n"
      "folded: >\r\n"
      "  one\r\n"
      "  two\r\n"
      "plain: one\r\n"
      "  two\r\n"
      "---\r\n"
      "Body");
  EXPECT_EQ(file.header.text("kept"), "one\n  two");
  EXPECT_EQ(file.header.text("folded"), "one two");
  EXPECT_EQ(file.header.text("plain"), "one two");
  EXPECT_EQ(file.body, "Body");
}

TEST(FrontMatter, LeavesTextWithoutAHeaderAlone) {
  for (const char* text : {"", "Body", "--- no\nBody", "---\nname: x\nnever closed",
                           " ---\nx: y\n---\n", "text\n---\nx: y\n---\n"}) {
    const MarkdownFile file = read_markdown(text);
    EXPECT_EQ(file.body, text);
    EXPECT_EQ(file.header.text("name"), "");
  }
  EXPECT_EQ(read_markdown("---\n---\nBody").body, "Body");
  EXPECT_EQ(read_markdown("---").body, "---");
}

}  // namespace
}  // namespace yume
