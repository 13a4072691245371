// SPDX-License-Identifier: MIT
#include "markdown/terminal_stream.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace yume::markdown {
namespace {

constexpr TerminalLook k_look{.columns = 60, .colours = true, .utf8 = true};

std::string streamed(const std::vector<std::string>& pieces) {
  TerminalStream stream(k_look);
  std::string shown;
  for (const std::string& piece : pieces) {
    shown += stream.add(piece);
    (void)stream.open_lines();
  }
  return shown + stream.finish();
}

std::vector<std::string> pieces_of(const std::string& text, std::mt19937& random,
                                   std::size_t longest) {
  std::vector<std::string> pieces;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t length = std::uniform_int_distribution<std::size_t>(1, longest)(random);
    pieces.push_back(text.substr(at, length));
    at += length;
  }
  return pieces;
}

const std::string k_document =
    "Intro with **bold\nover lines** and `code`.\n\nSetext\n======\n\n"
    "- one\n- two\n\n  more of two\n\n  ```cpp\n  int x;\n\n  int y;\n  ```\n- three\n"
    "  - inner\n  - inner [ref]\n* another list\n\n[ref]: https://x.test\n\n"
    "1. first\n2. second\n10. third\n\n```python\ndef f():\n\n    return 1\n```\n"
    "~~~\nno end of ``` this\n~~~\n> quote\n> - list\n\nlazy\n> q\nlazy\n\n"
    "| a | b |\n|---|:-:|\n| 1 | 2 |\n| 漢字 | **x** |\nno row\n\n---\n\n"
    "<div>\nhtml\n</div>\n\n    indented\n\n    code\n\nEnd with émojis 🎉 and [a "
    "link](https://y.test).\n";

TEST(TerminalStream, ShowsTheSameHoweverATextIsCut) {
  const std::string whole = streamed({k_document});
  std::mt19937 random(1);
  for (const std::size_t longest : {1, 2, 3, 7, 20, 100, 1000}) {
    for (int round = 0; round < 5; ++round) {
      ASSERT_EQ(streamed(pieces_of(k_document, random, longest)), whole) << longest;
    }
  }
}

TEST(TerminalStream, ShowsWhatIsShownOfAWholeText) {
  const std::string text = "# Head\n\n- a\n- b\n\n```\ncode\n```\n\n|x|\n|-|\n|1|\n\nend";
  EXPECT_EQ(streamed({text}), terminal_text(text, k_look));
}

// Any text is cut alike, also one that nobody would write.
TEST(TerminalStream, ShowsTheSameOfAnyText) {
  const std::vector<std::string> parts = {
      "- ",          "* ",       "1. ", "> ", "```",  "~~~\n", "\n", "\n\n",  "# ",      "---\n",
      "| a | b |\n", "|-|-|\n",  "`",   "**", "_",    "    ",  "\t", "word ", "<div>\n", "</div>",
      "[a]",         "[a]: x\n", "(b)", "漢", "==\n", "&#27;", "\\", "  \n",  "![",      "~~"};
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 random(seed);
    std::string text;
    for (int i = 0; i < 200; ++i) text += parts[random() % parts.size()];
    const std::string whole = streamed({text});
    for (const std::size_t longest : {1, 5, 40, 300}) {
      ASSERT_EQ(streamed(pieces_of(text, random, longest)), whole)
          << "seed " << seed << ", pieces of at most " << longest << "\n"
          << text;
    }
  }
}

std::string repeated(const std::string& part, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += part;
  return out;
}

TEST(TerminalStream, ShowsLongTextsTheSame) {
  std::mt19937 random(7);
  for (const std::string& text :
       {repeated("a line of one paragraph\n", 5000), std::string(200'000, 'x'),
        "é" + repeated("漢字", 40'000), "```\n" + repeated("code line\n", 20'000) + "```\nend\n",
        "|a|b|\n|-|-|\n" + repeated("|some words|and some more|\n", 3000) + "\nend\n",
        "- item\n" + repeated("  still the item\n", 6000), repeated("- an item\n", 5000),
        repeated("> quoted\n", 10'000),
        "|" + repeated("column|", 30) + "\n|" + repeated("-|", 30) + "\n" +
            repeated("|" + repeated("cell|", 30) + "\n", 300)}) {
    const std::string whole = streamed({text});
    EXPECT_TRUE(streamed(pieces_of(text, random, 50'000)) == whole) << text.substr(0, 30);
    EXPECT_TRUE(streamed(pieces_of(text, random, 3000)) == whole) << text.substr(0, 30);
  }
}

TEST(TerminalStream, CodeAppearsLineByLine) {
  TerminalStream stream({.columns = 60, .colours = false});
  EXPECT_EQ(stream.add("```\none\n"), "  one\n");
  EXPECT_EQ(stream.add("tw"), "");
  EXPECT_EQ(stream.open_lines(), std::vector<std::string>{"  tw"});
  EXPECT_EQ(stream.add("o\n"), "  two\n");
  EXPECT_EQ(stream.add("```\nafter"), "");
  EXPECT_EQ(stream.finish(), "\nafter\n");
}

TEST(TerminalStream, WhatIsNotFinalIsShownAsItIsNow) {
  TerminalStream stream({.columns = 60, .colours = false});
  EXPECT_EQ(stream.add("some *wor"), "");
  EXPECT_EQ(stream.open_lines(), std::vector<std::string>{"some *wor"});
  EXPECT_EQ(stream.add("ds*\n\n- next"), "");
  EXPECT_EQ(stream.open_lines(), (std::vector<std::string>{"some words", "", "• next"}));
  EXPECT_EQ(stream.add("\n"), "some words\n");
  EXPECT_EQ(stream.open_lines(), (std::vector<std::string>{"", "• next"}));
  EXPECT_EQ(stream.finish(), "\n• next\n");
  EXPECT_EQ(stream.open_lines(), std::vector<std::string>{});
}

}  // namespace
}  // namespace yume::markdown
