// SPDX-License-Identifier: MIT
#include "tools/line_endings.h"

#include <gtest/gtest.h>

namespace yume::tools {
namespace {

TEST(LineEnds, AreToldApart) {
  EXPECT_EQ(line_ends_of(""), LineEnds::none);
  EXPECT_EQ(line_ends_of("a"), LineEnds::none);
  EXPECT_EQ(line_ends_of("a\nb"), LineEnds::lf);
  EXPECT_EQ(line_ends_of("a\r\nb\r\n"), LineEnds::crlf);
  EXPECT_EQ(line_ends_of("a\rb\r"), LineEnds::cr);
  EXPECT_EQ(line_ends_of("a\r\nb\n"), LineEnds::mixed);
  EXPECT_EQ(line_ends_of("\n"), LineEnds::lf);
}

TEST(LineEnds, FollowTheOldText) {
  EXPECT_EQ(with_line_ends_of("a\nb\n", "x\ny\n", "\n"), "x\ny\n");
  EXPECT_EQ(with_line_ends_of("a\r\n", "x\ny\n", "\n"), "x\r\ny\r\n");
  EXPECT_EQ(with_line_ends_of("a\rb", "x\ny\n", "\n"), "x\ry\r");
  EXPECT_EQ(with_line_ends_of("a", "x\ny", "\r\n"), "x\r\ny");
  EXPECT_EQ(with_line_ends_of("a\r\n", "x\r\ny\n", "\n"), "x\r\ny\n") << "it says what it wants";
}

TEST(LineEnds, StayWithTheirLinesWhereBothKindsAre) {
  const char* old = "one\r\ntwo\nthree\r\nfour\n";
  EXPECT_EQ(with_line_ends_of(old, "one\ntwo\nthree\nfour\n", "\n"), old);
  EXPECT_EQ(with_line_ends_of(old, "one\nthree\nfour\n", "\n"), "one\r\nthree\r\nfour\n");
  EXPECT_EQ(with_line_ends_of(old, "one\nnew\ntwo\nthree\nfour\n", "\n"),
            "one\r\nnew\r\ntwo\nthree\r\nfour\n")
      << "a new line is like the one before it";
  EXPECT_EQ(with_line_ends_of(old, "one\ntwo\nTHREE\nfour\nfive\n", "\n"),
            "one\r\ntwo\nTHREE\r\nfour\nfive\n")
      << "a changed line is like the one it replaces";
  EXPECT_EQ(with_line_ends_of("a\r\nb\nc", "a\nb\nc\nd\n", "\n"), "a\r\nb\nc\nd\n");
}

}  // namespace
}  // namespace yume::tools
