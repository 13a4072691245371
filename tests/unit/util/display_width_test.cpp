// SPDX-License-Identifier: MIT
#include "util/display_width.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume {
namespace {

using Strings = std::vector<std::string>;

TEST(DisplayWidth, CountsColumnsOfATerminal) {
  EXPECT_EQ(display_width(""), 0U);
  EXPECT_EQ(display_width("abc"), 3U);
  EXPECT_EQ(display_width("\u00e9\u0416"), 2U);
  EXPECT_EQ(display_width("e\u0301"), 1U) << "a combining accent";
  EXPECT_EQ(display_width("\u6f22\u5b57"), 4U);
  EXPECT_EQ(display_width("\U0001F600"), 2U);
  EXPECT_EQ(display_width("\xff"), 1U) << "shown as a replacement character";
}

TEST(DisplayWidth, CutsAtCharacters) {
  EXPECT_EQ(prefix_of_width("\u6f22\u5b57", 3), "\u6f22");
  EXPECT_EQ(suffix_of_width("\u6f22\u5b57", 3), "\u5b57");
  EXPECT_EQ(prefix_of_width("e\u0301x", 1), "e\u0301");
  EXPECT_EQ(prefix_of_width("abc", 9), "abc");
  EXPECT_EQ(suffix_of_width("abc", 2), "bc");
  EXPECT_EQ(suffix_of_width("abc", 0), "");
}

TEST(DisplayWidth, Pads) {
  EXPECT_EQ(padded("\u6f22", 4), "\u6f22  ");
  EXPECT_EQ(padded("abc", 2), "abc");
}

TEST(Wrapped, BreaksAtSpacesAndElseAnywhere) {
  EXPECT_EQ(wrapped("", 10), Strings{""});
  EXPECT_EQ(wrapped("one two three", 7), (Strings{"one two", "three"}));
  EXPECT_EQ(wrapped("one  two", 20), Strings{"one two"});
  EXPECT_EQ(wrapped("a abcdefgh b", 4), (Strings{"a", "abcd", "efgh", "b"}));
  EXPECT_EQ(wrapped("abcdef gh", 4), (Strings{"abcd", "ef", "gh"}));
  EXPECT_EQ(wrapped("\u6f22\u5b57", 1), (Strings{"\u6f22", "\u5b57"})) << "no endless loop";
  EXPECT_EQ(wrapped("abcd ", 4), Strings{"abcd"});
}

}  // namespace
}  // namespace yume
