// SPDX-License-Identifier: MIT
#include "markdown/terminal_text.h"

#include "util/display_width.h"
#include "util/escape_codes.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::markdown {
namespace {

constexpr TerminalLook k_plain{.columns = 40, .colours = false, .utf8 = true};
constexpr TerminalLook k_ascii{.columns = 40, .colours = false, .utf8 = false};
constexpr TerminalLook k_colours{.columns = 40, .colours = true, .utf8 = true};

TEST(TerminalText, WrapsAtWords) {
  EXPECT_EQ(terminal_text("The quick brown fox jumps over the lazy dog and goes on.", k_plain),
            "The quick brown fox jumps over the lazy\ndog and goes on.\n");
}

TEST(TerminalText, BreaksWhatHasNoBlanks) {
  EXPECT_EQ(terminal_text(std::string(50, 'x'), k_plain),
            std::string(40, 'x') + "\n" + std::string(10, 'x') + "\n");
}

TEST(TerminalText, CountsWideAndCombiningCharacters) {
  std::string wide;
  for (int i = 0; i < 21; ++i) wide += "漢";
  const std::string shown = terminal_text("a " + wide, k_plain);
  EXPECT_EQ(shown.substr(0, shown.find('\n')).size(), 2 + 19 * 3U);
  EXPECT_EQ(terminal_text("e\u0301e\u0301", {.columns = 8, .colours = false}), "e\u0301e\u0301\n");
}

TEST(TerminalText, KeepsLineEndsOfParagraphs) {
  EXPECT_EQ(terminal_text("one\ntwo  \nthree\n\nfour", k_plain), "one\ntwo\nthree\n\nfour\n");
}

TEST(TerminalText, ShowsMarksWhereThereAreNoStyles) {
  EXPECT_EQ(terminal_text("# Head\n\nsome *words* and `code`", k_plain),
            "# Head\n\nsome words and `code`\n");
}

TEST(TerminalText, StylesWords) {
  EXPECT_EQ(terminal_text("## Head\n\na **b c** *d* ~~e~~ `f`", k_colours),
            "\x1b[1mHead\x1b[0m\n\na \x1b[1mb c\x1b[0m \x1b[3md\x1b[0m \x1b[9me\x1b[0m "
            "\x1b[36mf\x1b[0m\n");
}

TEST(TerminalText, NeverLeavesAStyleOpenAtTheEndOfALine) {
  const std::string shown = terminal_text("**" + std::string(120, 'x') + " y**", k_colours);
  EXPECT_EQ(shown.substr(0, 4 + 40 + 5), "\x1b[1m" + std::string(40, 'x') + "\x1b[0m\n");
}

TEST(TerminalText, ListsNestAndContinueBelowTheirText) {
  EXPECT_EQ(
      terminal_text("- one\n  more\n- two\n  1. a\n  2. b\n     - deep\n- [x] done\n- [ ] open",
                    k_plain),
      "• one\n  more\n• two\n  1. a\n  2. b\n     • deep\n☑ done\n☐ open\n");
  EXPECT_EQ(terminal_text("9. nine\n10. ten\n", k_ascii), "9. nine\n10. ten\n");
  EXPECT_EQ(terminal_text("- [x] done", k_ascii), "- [x] done\n");
}

TEST(TerminalText, CodeKeepsItsLinesWhole) {
  const std::string code(100, 'x');
  EXPECT_EQ(terminal_text("```\n" + code + "\n\n\ty\n```\nafter", k_plain),
            "  " + code + "\n\n      y\n\nafter\n");
}

TEST(TerminalText, DifferencesHaveTheirColours) {
  EXPECT_EQ(terminal_text("```diff\n+a\n-b\n c\n```", k_colours),
            "  \x1b[32m+a\x1b[0m\n  \x1b[31m-b\x1b[0m\n   c\n");
}

TEST(TerminalText, QuotesHaveABar) {
  EXPECT_EQ(terminal_text("> one\n>\n> two", k_plain), "│ one\n│\n│ two\n");
  EXPECT_EQ(terminal_text("> one", k_ascii), "> one\n");
}

TEST(TerminalText, LinksSayWhereTheyLead) {
  EXPECT_EQ(terminal_text("[a](https://x.test) <https://y.test> ![p](https://z.test/i)", k_plain),
            "a (https://x.test) https://y.test\n[picture: p] (https://z.test/i)\n");
}

TEST(TerminalText, TablesHaveColumns) {
  EXPECT_EQ(terminal_text("| a | number |\n|---|--:|\n| long word | 1 |\n| b | 22 |", k_plain),
            "a         │ number\n──────────┼───────\nlong word │      1\nb         │     22\n");
  EXPECT_EQ(terminal_text("|a|b|\n|-|-|\n|1|2|", k_ascii), "a | b\n--+--\n1 | 2\n");
}

TEST(TerminalText, CellsThatDoNotFitAreBroken) {
  EXPECT_EQ(
      terminal_text("|a|b|\n|-|-|\n|x|some words that take more than one line here|", k_plain),
      "a │ b\n──┼─────────────────────────────────────\n"
      "x │ some words that take more than one\n  │ line here\n");
}

TEST(TerminalText, WithoutRoomForColumnsEachRowIsARecord) {
  EXPECT_EQ(terminal_text("|first|second|third|\n|-|-|-|\n|aaaaaaaaaa|bbbbbbbbbb|cccccccccc|\n"
                          "|aaaaaaaaaa|bbbbbbbbbb|cccccccccc|",
                          {.columns = 20, .colours = false}),
            "first: aaaaaaaaaa\nsecond: bbbbbbbbbb\nthird: cccccccccc\n\n"
            "first: aaaaaaaaaa\nsecond: bbbbbbbbbb\nthird: cccccccccc\n");
}

// Also what an entity stands for.
TEST(TerminalText, NothingInATextIsObeyed) {
  for (const char* text : {"a\x1b[31mb", "a&#27;[31mb", "`a\x1b[31mb`", "```\na\x1b[31mb\n```",
                           "[a](https://x.test/&#27;[31mb)", "|a\x1b[31mb|\n|-|\n|a&#x1b;[31mb|",
                           "# a\xc2\x9b"
                           "31mb",
                           "<div>\x1b[31m</div>", "- a\rb\x08"}) {
    const std::string shown = terminal_text(text, k_plain);
    for (const char c : shown) {
      EXPECT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n') << text;
    }
    EXPECT_EQ(shown.find("\xc2\x9b"), std::string::npos) << text;
  }
}

TEST(TerminalText, EveryLineFits) {
  const std::string text =
      "# A heading that is longer than a line of this terminal can be\n\n"
      "> - quoted **bold words in a list that go on and on** with `some code in it`\n>\n"
      ">   more 漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字漢字 text\n\n"
      "| one column | another column | a third column |\n|---|:-:|--:|\n"
      "| cell with words | 漢字漢字漢字漢字漢字漢字 | `code` and https://example.test/long/path "
      "|\n";
  for (std::size_t columns = 20; columns <= 160; ++columns) {
    for (const bool colours : {false, true}) {
      const std::string shown = terminal_text(text, {.columns = columns, .colours = colours});
      std::string_view rest = shown;
      while (!rest.empty()) {
        const std::size_t end = rest.find('\n');
        EXPECT_LE(display_width(without_escape_codes(rest.substr(0, end))), columns) << columns;
        rest.remove_prefix(end + 1);
      }
    }
  }
}

}  // namespace
}  // namespace yume::markdown
