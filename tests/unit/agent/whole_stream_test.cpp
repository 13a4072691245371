// SPDX-License-Identifier: MIT
// From the bytes of a stream to events and history parts, through everything on the way: whole,
// byte by byte, and cut in two at every position.
#include "agent/turn_assembler.h"
#include "gemini/stream_decoder.h"
#include "net/sse_parser.h"
#include "support/event_text.h"
#include "support/recording_sink.h"
#include "support/splits.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::agent {
namespace {

// What came out of a stream; compared as a whole.
struct Reply {
  std::vector<std::string> events;
  std::vector<std::string> parts;
  std::vector<std::string> calls;
  std::string last_text;
  std::string finish;
  std::string usage;

  friend bool operator==(const Reply&, const Reply&) = default;
};

void PrintTo(const Reply& reply, std::ostream* out) {
  for (const std::string& event : reply.events) *out << "\n  event " << event;
  for (const std::string& part : reply.parts) *out << "\n  part  " << part;
  for (const std::string& call : reply.calls) *out << "\n  call  " << call;
  *out << "\n  last text " << reply.last_text << "\n  finish " << reply.finish << "\n  usage "
       << reply.usage;
}

Reply read(const std::vector<std::string_view>& pieces) {
  test::RecordingSink sink;
  CallIds ids;
  TurnAssembler assembler("gemini-x", ids, sink);
  gemini::StreamDecoder decoder;
  net::SseParser parser([&](std::string_view data) {
    auto chunk = decoder.decode(data);
    EXPECT_TRUE(chunk.ok()) << data;
    return chunk.ok() && assembler.add(std::move(chunk).value());
  });
  for (const std::string_view piece : pieces) EXPECT_TRUE(parser.feed(piece).ok());
  EXPECT_TRUE(parser.finish().ok());
  assembler.finish_parts();
  const ModelReply reply = assembler.take();
  Reply seen{.events = sink.events(),
             .parts = reply.parts,
             .calls = {},
             .last_text = reply.last_text,
             .finish = reply.finish ? reply.finish->name : "none",
             .usage = test::text_of(reply.usage)};
  for (const AskedCall& call : reply.calls) {
    seen.calls.push_back(call.provider.name + "#" + call.provider.id.value_or("none") +
                         call.input.given.text);
  }
  return seen;
}

void expect_at_every_split(const std::string& stream, const Reply& expected) {
  for (const test::Split& split : test::splits_of(stream)) {
    ASSERT_EQ(read(split.parts), expected) << split.name;
  }
}

std::string sse(const std::vector<std::string>& events) {
  std::string stream;
  for (const std::string& event : events) stream += "data: " + event + "\r\n\r\n";
  return stream;
}

TEST(WholeStream, GivesTextWithItsClosingSignature) {
  expect_at_every_split(
      sse({R"({"candidates":[{"content":{"parts":[{"text":"H\u00e9"}],"role":"model"},"index":0}],)"
           R"("usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":1}})",
           "{\"candidates\":[{\"content\":{\"parts\":[{\"text\":\"llo \xF0\x9F\x98\x80\"}]}}],"
           R"("usageMetadata":{"promptTokenCount":7,"candidatesTokenCount":4}})",
           R"({"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"c2ln"}]},)"
           R"("finishReason":"STOP"}],"usageMetadata":{"promptTokenCount":7,)"
           R"("candidatesTokenCount":5,"thoughtsTokenCount":2}})"}),
      {.events = {"usage 7/0/1/0", "message msg_ gemini-x", "text H\xC3\xA9",
                  "text llo \xF0\x9F\x98\x80"},
       .parts = {R"({"text":"H\u00e9llo \ud83d\ude00"})",
                 R"({"text":"","thoughtSignature":"c2ln"})"},
       .calls = {},
       .last_text = "H\xC3\xA9llo \xF0\x9F\x98\x80",
       .finish = "STOP",
       .usage = "7/0/5/2"});
}

TEST(WholeStream, GivesThoughtsBeforeTextAndKeepsThemOutOfTheHistory) {
  expect_at_every_split(
      sse({R"({"candidates":[{"content":{"parts":[{"text":"**Plan**","thought":true}]}}]})",
           R"({"candidates":[{"content":{"parts":[{"text":" first","thought":true}]}}]})",
           R"({"candidates":[{"content":{"parts":[{"text":"A."}]}}]})",
           R"({"candidates":[{"content":{"parts":[{"text":"again","thought":true}]}}]})",
           R"({"candidates":[{"content":{"parts":[{"text":"B."}]},"finishReason":"STOP"}]})"}),
      {.events = {"message msg_ gemini-x", "thought **Plan**", "thought  first", "text A.",
                  "thought again", "text B."},
       .parts = {R"({"text":"A.B."})"},
       .calls = {},
       .last_text = "B.",
       .finish = "STOP",
       .usage = "0/0/0/0"});
}

const Reply& three_calls() {
  static const Reply reply{
      .events = {"message msg_ gemini-x", "text Looking."},
      .parts = {R"({"text":"Looking."})",
                R"({"functionCall":{"id":"a1","name":"Read","args":{"file_path":"x"}},)"
                R"("thoughtSignature":"EqsG"})",
                R"({"functionCall":{"id":"a2","name":"Read","args":{"file_path":"y"}}})",
                R"({"functionCall":{"name":"Bash","args":{"command":"ls"}}})"},
      .calls = {R"(Read#a1{"file_path":"x"})", R"(Read#a2{"file_path":"y"})",
                R"(Bash#none{"command":"ls"})"},
      .last_text = "Looking.",
      .finish = "STOP",
      .usage = "0/0/0/0"};
  return reply;
}

TEST(WholeStream, GivesParallelCallsOfOneChunk) {
  expect_at_every_split(
      sse({R"({"candidates":[{"content":{"parts":[{"text":"Looking."}]}}]})",
           R"({"candidates":[{"content":{"parts":[)"
           R"({"functionCall":{"id":"a1","name":"Read","args":{"file_path":"x"}},)"
           R"("thoughtSignature":"EqsG"},)"
           R"({"functionCall":{"id":"a2","name":"Read","args":{"file_path":"y"}}},)"
           R"({"functionCall":{"name":"Bash","args":{"command":"ls"}}}]},"finishReason":"STOP"}]})"}),
      three_calls());
}

TEST(WholeStream, GivesTheSameForCallsSpreadOverChunks) {
  expect_at_every_split(
      sse({R"({"candidates":[{"content":{"parts":[{"text":"Looking."}]}}]})",
           R"({"candidates":[{"content":{"parts":[{"functionCall":{"id":"a1","name":"Read",)"
           R"("args":{"file_path":"x"}},"thoughtSignature":"EqsG"}]}}]})",
           R"({"candidates":[{"content":{"parts":[{"functionCall":{"id":"a2","name":"Read",)"
           R"("args":{"file_path":"y"}}}]}}]})",
           R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"Bash",)"
           R"("args":{"command":"ls"}}}]}}]})",
           R"({"candidates":[{"content":{"parts":[{"text":""}]},"finishReason":"STOP"}]})"}),
      three_calls());
}

TEST(WholeStream, TakesEveryOddityOfTheFraming) {
  const Reply expected{.events = {"message msg_ gemini-x", "text one", "text two"},
                       .parts = {R"({"text":"onetwo"})"},
                       .calls = {},
                       .last_text = "onetwo",
                       .finish = "STOP",
                       .usage = "0/0/0/0"};
  const std::string one = R"({"candidates":[{"content":{"parts":[{"text":"one"}]}}]})";
  const std::string two =
      R"({"candidates":[{"content":{"parts":[{"text":"two"}]},"finishReason":"STOP"}]})";
  expect_at_every_split("data:" + one + "\n\n: keepalive\n\ndata:" + two, expected);
  expect_at_every_split(
      "\xEF\xBB\xBF"
      "data: " +
          one + "\r\rid: 1\rdata: " + two + "\r",
      expected);
  expect_at_every_split("data: " + one.substr(0, 15) + "\ndata: " + one.substr(15) +
                            "\n\ndata: " + two + "\n\ndata:\n\n",
                        expected);
}

TEST(WholeStream, HandsOutOtherPartsVerbatim) {
  expect_at_every_split(
      sse({R"({"candidates":[{"content":{"parts":[{"text":"a"},)"
           R"({"executableCode":{"code":"1+1"}},{"text":"b"}]},"finishReason":"STOP"}]})"}),
      {.events = {"message msg_ gemini-x", "text a", "text b"},
       .parts = {R"({"text":"a"})", R"({"executableCode":{"code":"1+1"}})", R"({"text":"b"})"},
       .calls = {},
       .last_text = "ab",
       .finish = "STOP",
       .usage = "0/0/0/0"});
}

}  // namespace
}  // namespace yume::agent
