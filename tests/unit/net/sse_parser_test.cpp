// SPDX-License-Identifier: MIT
#include "net/sse_parser.h"

#include "support/splits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::net {
namespace {

using Events = std::vector<std::string>;

Events parse(const std::vector<std::string_view>& parts) {
  Events events;
  SseParser parser([&events](std::string_view data) {
    events.emplace_back(data);
    return true;
  });
  for (const std::string_view part : parts) EXPECT_TRUE(parser.feed(part).ok());
  EXPECT_TRUE(parser.finish().ok());
  return events;
}

void expect_at_every_split(std::string_view stream, const Events& expected) {
  for (const test::Split& split : test::splits_of(stream)) {
    EXPECT_EQ(parse(split.parts), expected) << split.name;
  }
}

TEST(SseParser, ReadsEventsWithLf) {
  expect_at_every_split("data: one\n\ndata: two\n\n", {"one", "two"});
}

TEST(SseParser, ReadsEventsWithCrlf) {
  expect_at_every_split("data: one\r\n\r\ndata: two\r\n\r\n", {"one", "two"});
}

TEST(SseParser, ReadsEventsWithCr) {
  expect_at_every_split("data: one\r\rdata: two\r\r", {"one", "two"});
}

TEST(SseParser, ReadsMixedLineEnds) {
  expect_at_every_split("data: one\r\n\ndata: two\r\rdata: three\n\r\ndata: four\n\r",
                        {"one", "two", "three", "four"});
}

TEST(SseParser, SkipsComments) {
  expect_at_every_split(": keepalive\n\n:\r\ndata: one\n: in between\n\n:end", {"one"});
}

TEST(SseParser, SkipsOneByteOrderMark) {
  expect_at_every_split(
      "\xEF\xBB\xBF"
      "data: one\n\n",
      {"one"});
  expect_at_every_split(
      "\xEF\xBB\xBF\n\xEF\xBB\xBF"
      "data: lost\n\ndata: kept\n\n",
      {"kept"});
}

TEST(SseParser, JoinsDataLinesWithNewlines) {
  expect_at_every_split("data: {\r\ndata: \"a\":1\r\ndata: }\r\n\r\n", {"{\n\"a\":1\n}"});
  expect_at_every_split("data: a\ndata:\ndata: b\n\n", {"a\n\nb"});
}

TEST(SseParser, TakesAtMostOneSpaceAway) {
  expect_at_every_split("data:one\n\ndata:  two\n\ndata:\tthree\n\n", {"one", " two", "\tthree"});
}

TEST(SseParser, DeliversALastEventWithoutItsBlankLine) {
  expect_at_every_split("data: one\n\ndata: two\n", {"one", "two"});
  expect_at_every_split("data: one\n\ndata: two", {"one", "two"});
  expect_at_every_split("data: one\r\n\r\ndata: two\r", {"one", "two"});
}

TEST(SseParser, DropsEventsWithoutData) {
  expect_at_every_split("data:\n\ndata\n\ndata: \n\n\n\nevent: ping\n\ndata: one\n\n", {"one"});
}

TEST(SseParser, IgnoresOtherFields) {
  expect_at_every_split(
      "event: error\nid: 7\nretry: 10\ndatabase: no\ndata: one\nfoo\n\n data: no\n\n", {"one"});
}

TEST(SseParser, KeepsUtf8SplitAcrossChunks) {
  expect_at_every_split("data: \xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80\r\n\r\n",
                        {"\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80"});
}

TEST(SseParser, DoesNotTreatColonsOfTheDataAsSyntax) {
  expect_at_every_split("data: a: b\n\ndata::c\n\n", {"a: b", ":c"});
}

TEST(SseParser, StaysSilentOnNothing) {
  expect_at_every_split("", {});
  expect_at_every_split("\r\n\n\r", {});
}

struct Limited {
  Events events;
  std::string problem;

  friend bool operator==(const Limited&, const Limited&) = default;
};

Limited parse_limited(const std::vector<std::string_view>& parts, std::size_t limit) {
  Limited seen;
  SseParser parser(
      [&seen](std::string_view data) {
        seen.events.emplace_back(data);
        return true;
      },
      {}, limit);
  for (const std::string_view part : parts) {
    const auto fed = parser.feed(part);
    if (fed.ok()) continue;
    EXPECT_EQ(fed.error().code, ErrorCode::too_large);
    seen.problem = fed.error().message;
    return seen;
  }
  EXPECT_TRUE(parser.finish().ok());
  return seen;
}

TEST(SseParser, RefusesAnEventOverTheLimitWhereverItIsCut) {
  const std::size_t limit = 2U << 20U;
  const std::string line = "data: " + std::string(limit - 6, 'x');  // exactly the limit
  EXPECT_EQ(parse_limited({line, "\n\n"}, limit).events.size(), 1U);
  const Limited refused{.events = {"a"},
                        .problem = "one event of the response is larger than 2 MiB"};
  EXPECT_EQ(parse_limited({"data: a\n\n", line, "x\n\n"}, limit), refused);
  EXPECT_EQ(parse_limited({"data: a\n\n" + line + "x\n\n"}, limit), refused);
  EXPECT_EQ(parse_limited({"data: a\n\n" + line + "x"}, limit), refused);
}

TEST(SseParser, CountsAllDataLinesOfAnEventTowardsTheLimit) {
  const std::string stream = "data: a\n\ndata: 01234567\ndata: 01234567\ndata: 0123\n\ndata: z\n\n";
  const Limited refused{.events = {"a"},
                        .problem = "one event of the response is larger than 0 MiB"};
  for (const test::Split& split : test::splits_of(stream)) {
    EXPECT_EQ(parse_limited(split.parts, 24), refused) << split.name;
  }
}

TEST(SseParser, CountsWhatBelongsToAnAnswer) {
  SseParser parser([](std::string_view) { return true; });
  const auto grows = [&parser](std::string_view bytes) {
    const std::size_t before = parser.content_bytes();
    EXPECT_TRUE(parser.feed(bytes).ok());
    return parser.content_bytes() > before;
  };
  EXPECT_FALSE(grows(": keep-alive\n\n"));
  EXPECT_FALSE(grows(":"));
  EXPECT_FALSE(grows(" still the comment\r\n\r\n"));
  EXPECT_FALSE(grows("event: ping\nid: 1\nretry: 5\n\n"));
  EXPECT_TRUE(grows("data: a long event that comes"));
  EXPECT_TRUE(grows(" in pieces"));
  EXPECT_TRUE(grows("\n\n: and a comment\n\ndata: x\n\n"));
  EXPECT_TRUE(grows("{\"error\":{}}\n"));
}

TEST(SseParser, StopsWhenTheReaderStops) {
  Events events;
  SseParser parser([&events](std::string_view data) {
    events.emplace_back(data);
    return false;
  });
  const auto fed = parser.feed("data: one\n\ndata: two\n\n");
  ASSERT_FALSE(fed.ok());
  EXPECT_EQ(fed.error().code, ErrorCode::cancelled);
  EXPECT_EQ(events, Events{"one"});
}

TEST(SseParser, StopsAtTheEndWhenTheReaderStopsThere) {
  SseParser parser([](std::string_view) { return false; });
  ASSERT_TRUE(parser.feed("data: one").ok());
  const auto finished = parser.finish();
  ASSERT_FALSE(finished.ok());
  EXPECT_EQ(finished.error().code, ErrorCode::cancelled);
}

}  // namespace
}  // namespace yume::net
