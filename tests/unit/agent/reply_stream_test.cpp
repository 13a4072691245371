// SPDX-License-Identifier: MIT
#include "agent/reply_stream.h"

#include "support/recording_sink.h"
#include "support/scripted_transport.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

namespace yume::agent {
namespace {

struct Outcome {
  bool began = false;
  bool went_on = true;  // the sink wanted more
  bool host_gone = false;
  std::string problem = {};
  bool retryable = false;
  std::vector<std::string> events = {};

  friend bool operator==(const Outcome&, const Outcome&) = default;
};

Outcome receive(const test::Answer& answer, std::size_t host_capacity = 100) {
  test::RecordingSink sink(host_capacity);
  CallIds ids;
  TurnAssembler assembler("m", ids, sink);
  ReplyStream stream(assembler, sink);
  Outcome outcome;
  outcome.went_on =
      stream.on_head({.status = answer.status, .headers = {{"content-type", answer.content_type}}});
  for (const std::string& piece : answer.body) {
    if (outcome.went_on) outcome.went_on = stream.on_body(piece);
  }
  if (const auto problem = stream.finish()) {
    outcome.problem = problem->error.message;
    outcome.retryable = problem->retryable;
  }
  outcome.began = stream.began();
  outcome.host_gone = stream.host_gone();
  outcome.events = sink.events();
  return outcome;
}

TEST(ReplyStream, ReadsAStreamToItsEnd) {
  EXPECT_EQ(receive(test::stream({test::text_event("hi"), test::finish_event()})),
            (Outcome{.began = true, .events = {"message msg_ m", "text hi"}}));
}

TEST(ReplyStream, ReadsALastEventThatLacksItsBlankLine) {
  EXPECT_EQ(receive({.body = {"data: " + test::text_event("hi")}}),
            (Outcome{.began = true, .events = {"message msg_ m", "text hi"}}));
}

TEST(ReplyStream, StopsAtAnErrorInsideTheStream) {
  const std::string error = R"({"error":{"code":503,"message":"overloaded"}})";
  EXPECT_EQ(receive(test::stream({test::text_event("hi"), error, test::text_event("no")})),
            (Outcome{.began = true,
                     .went_on = false,
                     .problem = "API Error: 503 overloaded",
                     .retryable = true,
                     .events = {"message msg_ m", "text hi"}}));
}

TEST(ReplyStream, CallsAnEventThatIsNotJsonABrokenAnswer) {
  const Outcome outcome = receive(test::stream({"{oops"}));
  EXPECT_TRUE(outcome.problem.starts_with(
      "API Error: the server sent an event that is not a Gemini answer: "));
  EXPECT_TRUE(outcome.retryable);
  EXPECT_FALSE(outcome.went_on);
}

TEST(ReplyStream, DropsAnEventThatWasCutOffWithItsStream) {
  EXPECT_EQ(receive({.body = {"data: " + test::text_event("hi") + "\r\n\r\ndata: {\"candi"}}),
            (Outcome{.began = true, .events = {"message msg_ m", "text hi"}}));
}

TEST(ReplyStream, FindsAnErrorWithoutTheFramingOfAnEvent) {
  EXPECT_EQ(receive({.body = {R"([{"error":{"code":503,)", R"("message":"overloaded"}}])"}}),
            (Outcome{.began = true, .problem = "API Error: 503 overloaded", .retryable = true}));
  EXPECT_EQ(receive({.content_type = "application/json",
                     .body = {R"({"error":{"code":400,"message":"no"}})"}}),
            (Outcome{.problem = "API Error: 400 no"}));
}

TEST(ReplyStream, FindsSuchAnErrorAfterEventsToo) {
  EXPECT_EQ(receive({.body = {"data: " + test::text_event("hi") + "\r\n\r\n",
                              "{\n  \"error\": {\n    \"code\": 503,\n",
                              "    \"message\": \"overloaded\"\n  }\n}\n"}}),
            (Outcome{.began = true,
                     .problem = "API Error: 503 overloaded",
                     .retryable = true,
                     .events = {"message msg_ m", "text hi"}}));
}

TEST(ReplyStream, FindsAnErrorWrappedInAnArrayInsideAnEvent) {
  EXPECT_EQ(receive(test::stream({R"([{"error":{"code":400,"message":"no"}}])"})),
            (Outcome{.began = true, .went_on = false, .problem = "API Error: 400 no"}));
}

TEST(ReplyStream, TellsOfALongSilence) {
  test::RecordingSink sink;
  CallIds ids;
  TurnAssembler assembler("m", ids, sink);
  ReplyStream stream(assembler, sink);
  stream.on_silence(std::chrono::milliseconds(20'400));
  EXPECT_EQ(sink.events(),
            (std::vector<std::string>{"notice no answer from the model for 20 s; still waiting"}));
}

TEST(ReplyStream, TakesKeepAliveForSilence) {
  test::RecordingSink sink;
  CallIds ids;
  TurnAssembler assembler("m", ids, sink);
  ReplyStream stream(assembler, sink);
  ASSERT_TRUE(stream.on_head({.status = 200, .headers = {{"Content-Type", "text/event-stream"}}}));
  EXPECT_TRUE(stream.said_something());
  ASSERT_TRUE(stream.on_body(": keep-alive\n\n"));
  EXPECT_FALSE(stream.said_something());
  ASSERT_TRUE(stream.on_body("data: " + test::text_event("hi") + "\n\n"));
  EXPECT_TRUE(stream.said_something());
}

TEST(ReplyStream, RefusesACompressedStreamUnread) {
  test::RecordingSink sink;
  CallIds ids;
  TurnAssembler assembler("m", ids, sink);
  ReplyStream stream(assembler, sink);
  stream.on_head(
      {.status = 200,
       .headers = {{"content-type", "text/event-stream"}, {"content-encoding", "gzip"}}});
  EXPECT_TRUE(stream.on_body("\x1f\x8b"));
  const auto problem = stream.finish();
  EXPECT_EQ(problem->error.message,
            "API Error: the answer is compressed (gzip) although nothing asked for that; check "
            "--api-base and proxies");
  EXPECT_FALSE(problem->retryable);
}

TEST(ReplyStream, ReadsTheDelayFromTheHeaders) {
  const auto delay = [](const net::Header& header) -> std::optional<long> {
    test::RecordingSink sink;
    CallIds ids;
    TurnAssembler assembler("m", ids, sink);
    ReplyStream stream(assembler, sink);
    stream.on_head({.status = 503, .headers = {header}});
    const auto after = stream.finish()->error.retry_after;
    return after ? std::optional<long>(after->count()) : std::nullopt;
  };
  EXPECT_EQ(delay({"Retry-After", "7"}), 7000);
  EXPECT_EQ(delay({"retry-after-ms", "250"}), 250);
  for (const char* odd :
       {"", "-1", "7s", "99999999999999999999", "Wed, 21 Oct 2026 07:28:00 GMT"}) {
    EXPECT_EQ(delay({"Retry-After", odd}), std::nullopt) << odd;
  }
}

TEST(ReplyStream, DoesNotAskAgainForAnEventThatIsTooLarge) {
  const Outcome outcome = receive({.body = {"data: " + std::string(33U << 20U, 'x')}});
  EXPECT_EQ(outcome.problem, "API Error: one event of the response is larger than 32 MiB");
  EXPECT_FALSE(outcome.retryable);
  EXPECT_FALSE(outcome.went_on);
}

TEST(ReplyStream, NoticesThatTheHostIsGone) {
  EXPECT_EQ(
      receive(test::stream({test::text_event("a"), test::text_event("b")}), 1),
      (Outcome{.began = true, .went_on = false, .host_gone = true, .events = {"message msg_ m"}}));
}

TEST(ReplyStream, ReadsTheBodyOfAnErrorAnswer) {
  EXPECT_EQ(receive({.status = 400,
                     .content_type = "application/json",
                     .body = {R"({"error":{"code":400,)", R"("message":"bad field"}})"}}),
            (Outcome{.problem = "API Error: 400 bad field"}));
}

TEST(ReplyStream, KeepsOnlyTheBeginningOfAHugeErrorAnswer) {
  test::Answer answer{.status = 500, .content_type = "text/html", .body = {}};
  for (int i = 0; i < 20; ++i) answer.body.emplace_back(64U << 10U, 'x');
  const Outcome outcome = receive(answer);
  EXPECT_FALSE(outcome.went_on);
  EXPECT_EQ(outcome.problem, "API Error: 500 " + std::string(500, 'x'));
}

TEST(ReplyStream, RefusesRedirectsAndPagesOfSomebodyElse) {
  EXPECT_EQ(receive({.status = 302, .content_type = "text/html", .body = {"moved"}}),
            (Outcome{.problem = "API Error: unexpected redirect (302) from the API endpoint; check "
                                "--api-base"}));
  EXPECT_EQ(receive({.status = 200, .content_type = "text/html", .body = {"<html>log in</html>"}}),
            (Outcome{.problem = "API Error: the answer is not from Gemini (content type "
                                "'text/html'); a proxy or login page may be in between"}));
}

TEST(ReplyStream, AcceptsACharsetAfterTheContentType) {
  test::Answer answer = test::stream({test::text_event("hi")});
  answer.content_type = "text/event-stream; charset=utf-8";
  EXPECT_EQ(receive(answer).events, (std::vector<std::string>{"message msg_ m", "text hi"}));
}

}  // namespace
}  // namespace yume::agent
