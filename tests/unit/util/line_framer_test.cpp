// SPDX-License-Identifier: MIT
#include "util/line_framer.h"

#include "support/splits.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <vector>

namespace yume {
namespace {

constexpr OutlineMember k_type{.object = {}, .key = "type"};
constexpr std::array k_outline{k_type};

using Strings = std::vector<std::string>;

Strings frame(const std::vector<std::string_view>& parts, std::size_t limit) {
  Strings lines;
  LineFramer framer(
      {.max_line_bytes = limit, .outline = k_outline},
      [&lines](std::string_view line) { lines.emplace_back(line); },
      [&lines](const LongLine& line) {
        lines.push_back("(" + std::to_string(line.bytes) + " bytes " +
                        std::string(line.outline.text(k_type)) + ")");
      });
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

TEST(LineFramer, DropsALineOverTheLimitAndReportsItOnceWithItsSize) {
  expect_at_every_split("12345678\n123456789\nok\n", {"12345678", "(9 bytes )", "ok"}, 8);
  expect_at_every_split("0123456789012345678901234567890123456789", {"(40 bytes )"}, 8);
  expect_at_every_split("0123456789\n0123456789012\nok", {"(10 bytes )", "(13 bytes )", "ok"}, 8);
}

TEST(LineFramer, KnowsTheTypeOfALineOverTheLimit) {
  expect_at_every_split("{\"type\":\"user\",\"message\":{}}\nok\n", {"(28 bytes user)", "ok"}, 8);
}

}  // namespace
}  // namespace yume
