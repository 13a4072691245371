// SPDX-License-Identifier: MIT
#include "tools/replace_text.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::tools {
namespace {

// The new content, or "not found", or "N matches".
std::string replaced(std::string_view content, std::string_view old_text, std::string_view new_text,
                     bool all = false) {
  const auto result =
      replace_text(content, {.old_text = old_text, .new_text = new_text, .all = all});
  if (const auto* text = std::get_if<ReplacedText>(&result)) return text->content;
  if (const auto* many = std::get_if<Ambiguous>(&result)) {
    return std::to_string(many->matches) + " matches";
  }
  return "not found";
}

TEST(ReplaceText, ReplacesTheOneMatch) {
  EXPECT_EQ(replaced("one two three", "two", "2"), "one 2 three");
  EXPECT_EQ(replaced("one", "one", ""), "");
  EXPECT_EQ(replaced("a\nb\nc\n", "b\n", ""), "a\nc\n");
}

TEST(ReplaceText, TakesTheTextLiterally) {
  EXPECT_EQ(replaced("a.b", "a.b", "$& \\1 $1"), "$& \\1 $1");
  EXPECT_EQ(replaced("axb", "a.b", "x"), "not found");
}

TEST(ReplaceText, RefusesToGuessBetweenMatches) {
  EXPECT_EQ(replaced("x x x", "x", "y"), "3 matches");
  EXPECT_EQ(replaced("x x x", "x", "y", true), "y y y");
}

TEST(ReplaceText, CountsMatchesWithoutOverlap) {
  EXPECT_EQ(replaced("aaaa", "aa", "b"), "2 matches");
  EXPECT_EQ(replaced("aaaaa", "aa", "b", true), "bba");
  EXPECT_EQ(replaced("a a", "a", "aa", true), "aa aa") << "what was put in is not looked at again";
}

TEST(ReplaceText, FindsNothingForNothing) {
  EXPECT_EQ(replaced("abc", "", "x"), "not found");
  EXPECT_EQ(replaced("", "x", "y"), "not found");
  EXPECT_EQ(replaced("abc", "d", "y", true), "not found");
}

TEST(ReplaceText, MatchesLfInACrlfFileAndWritesCrlf) {
  EXPECT_EQ(replaced("a\r\nb\r\nc\r\n", "a\nb", "x\ny\nz"), "x\r\ny\r\nz\r\nc\r\n");
  EXPECT_EQ(replaced("a\r\nb\r\n", "b", "x\ny"), "a\r\nx\r\ny\r\n");
  EXPECT_EQ(replaced("a\r\nb\r\n", "a\r\nb", "x\r\ny"), "x\r\ny\r\n");
}

TEST(ReplaceText, NeverDoublesOrHalvesALineEnd) {
  EXPECT_EQ(replaced("a\r\nb\r\n", "\nb", "\nx"), "a\r\nx\r\n");
  EXPECT_EQ(replaced("a\r\nb\r\n", "\nb", ""), "a\r\n");
  EXPECT_EQ(replaced("a\r\nb", "a\n", "x\n"), "x\r\nb");
  EXPECT_EQ(replaced("a\r\nb\r\nc", "\n", " ", true), "a b c");
}

TEST(ReplaceText, KeepsLfFilesFreeOfCr) {
  EXPECT_EQ(replaced("a\nb\n", "b", "x\ny"), "a\nx\ny\n");
  EXPECT_EQ(replaced("a\nb\n", "a\r\nb", "x"), "not found");
}

TEST(ReplaceText, FollowsTheMatchedTextInAMixedFile) {
  EXPECT_EQ(replaced("a\r\nb\r\nc\nd\n", "a\nb", "x\ny"), "x\r\ny\r\nc\nd\n");
  EXPECT_EQ(replaced("a\r\nb\r\nc\nd\n", "c\nd", "x\ny"), "a\r\nb\r\nx\ny\n");
}

TEST(ReplaceText, LeavesEveryOtherByteAlone) {
  const std::string before("\xEF\xBB\xBF\0\xFF one\r\n\r two\n", 18);
  EXPECT_EQ(replaced(before, "one", "1"),
            std::string("\xEF\xBB\xBF\0\xFF ", 6) + "1" + before.substr(9));
}

}  // namespace
}  // namespace yume::tools
