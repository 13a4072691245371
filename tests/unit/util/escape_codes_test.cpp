// SPDX-License-Identifier: MIT
#include "util/escape_codes.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume {
namespace {

TEST(EscapeCodes, GoAndTheTextStays) {
  struct Row {
    std::string text;
    std::string plain;
  };
  const std::vector<Row> table = {
      {"", ""},
      {"plain [31m text]", "plain [31m text]"},
      {"\033[0;31mValueError\033[0m: x", "ValueError: x"},
      {"\033[38;5;241m\033[43ma\033[39;49;00m", "a"},
      {"a\033[2K\033[1Gb\033[?25lc", "abc"},
      {"\033]8;;http://a\033\\link\033]8;;\033\\.", "link."},
      {"\033]0;title\x07text", "text"},
      {"\033Pdata\033\\x\033_y\033\\z", "xz"},
      {"\033(Bx\033=y\033Mz", "xyz"},
      {"gr\xC3\xBC\xC3\x9F\033[m\r\n\tb", "gr\xC3\xBC\xC3\x9F\r\n\tb"},
  };
  for (const Row& row : table) EXPECT_EQ(without_escape_codes(row.text), row.plain);
}

TEST(EscapeCodes, TakeNoTextWithThemWhenTheyAreBroken) {
  EXPECT_EQ(without_escape_codes("a\033"), "a");
  EXPECT_EQ(without_escape_codes("a\033["), "a");
  EXPECT_EQ(without_escape_codes("a\033[31"), "a");
  EXPECT_EQ(without_escape_codes("a\033[31\nb"), "a\nb");
  EXPECT_EQ(without_escape_codes("a\033]never ended\nb"), "a\nb");
  EXPECT_EQ(without_escape_codes("a\033\033[1mb"), "ab");
  EXPECT_EQ(without_escape_codes("a\033\nb"), "a\nb");
}

TEST(SafeForTerminal, LeavesNothingThatATerminalObeysOrThatTurnsTextAround) {
  EXPECT_EQ(safe_for_terminal("a\x1B[2Kb\x07\r\nc\td\x7F"), "a[2Kb\nc\td");
  EXPECT_EQ(safe_for_terminal("if \u202Eadmin\u202C \u2066x\u2069 \u009B2K"), "if admin x 2K");
  EXPECT_EQ(safe_for_terminal("\u05E9\u05DC\u05D5\u05DD \xFF"), "\u05E9\u05DC\u05D5\u05DD \uFFFD");
}

TEST(SpelledForTerminal, LeavesNothingOutAndNothingToObey) {
  struct Row {
    std::string text;
    std::string spelled;
  };
  const std::vector<Row> table = {
      {"", ""},
      {"gr\xC3\xBC\xC3\x9F\ta\nb", "gr\xC3\xBC\xC3\x9F\ta\nb"},
      {"a\033[2Kb\rc\x07\x7F", "a<U+001B>[2Kb<U+000D>c<U+0007><U+007F>"},
      {std::string("a\0b", 3), "a<U+0000>b"},
      {"\u009B1m", "<U+009B>1m"},
      {"a\u202Eb\u2066c\u200Bd\u00ADe\uFEFFf", "a<U+202E>b<U+2066>c<U+200B>d<U+00AD>e<U+FEFF>f"},
      {"\U000E0041", "<U+E0041>"},
      {"\x9B", "\uFFFD"},
  };
  for (const Row& row : table) EXPECT_EQ(spelled_for_terminal(row.text), row.spelled);
}

}  // namespace
}  // namespace yume
