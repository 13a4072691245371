// SPDX-License-Identifier: MIT
#include "protocol/line_framer.h"

#include "support/splits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::protocol {
namespace {

using Strings = std::vector<std::string>;

Strings frame(const std::vector<std::string_view>& parts, std::size_t limit) {
  Strings lines;
  LineFramer framer(
      limit, [&lines](std::string_view line) { lines.emplace_back(line); },
      [&lines] { lines.emplace_back("(too long)"); });
  for (const std::string_view part : parts) framer.feed(part);
  framer.finish();
  return lines;
}

void expect_at_every_split(std::string_view bytes, const Strings& expected,
                           std::size_t limit = 1000) {
  for (const test::Split& split : test::splits_of(bytes)) {
    EXPECT_EQ(frame(split.parts, limit), expected) << split.name;
  }
}

TEST(LineFramer, CutsAtNewlines) {
  expect_at_every_split("one\ntwo\nthree\n", {"one", "two", "three"});
}

TEST(LineFramer, TakesCrlfAndKeepsOtherReturns) {
  expect_at_every_split("one\r\ntw\ro\r\n", {"one", "tw\ro"});
}

TEST(LineFramer, DeliversAnUnfinishedLastLine) {
  expect_at_every_split("one\ntwo", {"one", "two"});
  expect_at_every_split("one\ntwo\r", {"one", "two"});
}

TEST(LineFramer, SkipsEmptyLines) {
  expect_at_every_split("\n\none\n\n", {"one"});
  expect_at_every_split("", {});
}

TEST(LineFramer, KeepsBytesThatHostsSplit) {
  expect_at_every_split("\xF0\x9F\x98\x80\xE2\x80\xA8x\n", {"\xF0\x9F\x98\x80\xE2\x80\xA8x"});
  expect_at_every_split(std::string_view("a\0b\n", 4), {std::string("a\0b", 3)});
}

TEST(LineFramer, DropsALineOverTheLimitAndReportsItOnce) {
  expect_at_every_split("12345678\n123456789\nok\n", {"12345678", "(too long)", "ok"}, 8);
  expect_at_every_split("0123456789012345678901234567890123456789", {"(too long)"}, 8);
  expect_at_every_split("0123456789\n0123456789\nok", {"(too long)", "(too long)", "ok"}, 8);
}

}  // namespace
}  // namespace yume::protocol
