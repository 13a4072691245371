// SPDX-License-Identifier: MIT
// Calls whose arguments are streamed, in every shape the API was seen to send: whole, byte by byte,
// and cut in two at every position.
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

using Strings = std::vector<std::string>;

struct Reply {
  Strings calls;                  // name, made id, arguments
  Strings parts;                  // for the history
  std::string shown;              // all deltas
  std::string bad_call = "none";  // why one was lost
  std::string cut_call = {};      // by the output limit

  friend bool operator==(const Reply&, const Reply&) = default;
};

void PrintTo(const Reply& reply, std::ostream* out) {
  for (const std::string& call : reply.calls) *out << "\n  call  " << call;
  for (const std::string& part : reply.parts) *out << "\n  part  " << part;
  *out << "\n  shown " << reply.shown << "\n  bad   " << reply.bad_call;
}

Reply read(const std::vector<std::string_view>& pieces) {
  test::RecordingSink sink;
  Reply seen;
  sink.on_post([&seen](const core::Event& event) {
    if (const auto* start = std::get_if<core::ToolCallStarted>(&event)) {
      seen.shown += "<" + start->id + " " + start->name + ">";
    }
    if (const auto* delta = std::get_if<core::ToolArgsDelta>(&event)) seen.shown += delta->json;
  });
  CallIds ids;
  TurnAssembler assembler("m", ids, sink);
  gemini::StreamDecoder decoder;
  net::SseParser parser([&](std::string_view data) {
    auto chunk = decoder.decode(data);
    EXPECT_TRUE(chunk.ok()) << data;
    return chunk.ok() && assembler.add(std::move(chunk).value());
  });
  for (const std::string_view piece : pieces) EXPECT_TRUE(parser.feed(piece).ok());
  EXPECT_TRUE(parser.finish().ok());
  EXPECT_TRUE(assembler.end_of_reply());
  assembler.finish_parts();
  const ModelReply reply = assembler.take();
  for (const AskedCall& call : reply.calls) {
    seen.calls.push_back(call.provider.name + "#" + call.id + call.input.given.text);
  }
  seen.parts = reply.parts;
  if (reply.bad_call) seen.bad_call = *reply.bad_call;
  seen.cut_call = reply.cut_call;
  return seen;
}

// One chunk per part; the last one ends the reply.
std::string stream(const Strings& parts, const std::string& finish = "STOP") {
  std::string text;
  for (const std::string& part : parts) {
    text += R"(data: {"candidates":[{"content":{"role":"model","parts":[)" + part + "]}";
    if (&part == &parts.back()) text += R"(,"finishReason":")" + finish + R"(")";
    text += "}]}\r\n\r\n";
  }
  return text;
}

std::string start(const std::string& name, const std::string& signature = "c2ln") {
  return R"({"functionCall":{"name":")" + name + R"(","willContinue":true},"thoughtSignature":")" +
         signature + R"("})";
}
std::string piece(const std::string& args, bool more = true) {
  return R"({"functionCall":{"partialArgs":[)" + args + "]" +
         (more ? R"(,"willContinue":true)" : "") + "}}";
}
std::string text(const std::string& path, const std::string& value, bool more = true) {
  return R"({"jsonPath":")" + path + R"(","stringValue":")" + value + R"(")" +
         (more ? R"(,"willContinue":true})" : "}");
}
std::string value(const std::string& path, const std::string& field) {
  return R"({"jsonPath":")" + path + R"(",)" + field + "}";
}
const std::string k_end = R"({"functionCall":{}})";

std::string part(const std::string& name, const std::string& args,
                 const std::string& signature = "c2ln") {
  return R"({"functionCall":{"name":")" + name + R"(","args":)" + args +
         R"(},"thoughtSignature":")" + signature + R"("})";
}

void expect_call(const Strings& parts, const std::string& args) {
  const std::string bytes = stream(parts);
  const Reply expected{.calls = {"f#call_gemini_1" + args},
                       .parts = {part("f", args)},
                       .shown = "<call_gemini_1 f>" + args};
  for (const test::Split& split : test::splits_of(bytes)) {
    ASSERT_EQ(read(split.parts), expected) << split.name;
  }
}

TEST(PartialCalls, AStringInPiecesWithATerminator) {
  expect_call({start("f"), piece(text("$.location", "Bos")), piece(text("$.location", "ton")),
               piece(text("$.location", "", false)), k_end},
              R"({"location":"Boston"})");
}

TEST(PartialCalls, NumbersBoolsAndNull) {
  expect_call(
      {start("f"), piece(value("$.n", R"("numberValue":5)")),
       piece(value("$.p", R"("numberValue":0.5)")),
       piece(value("$.t", R"("boolValue":true)") + "," + value("$.u", R"("boolValue":false)")),
       piece(value("$.z", R"("nullValue":"NULL_VALUE")")), k_end},
      R"({"n":5,"p":0.5,"t":true,"u":false,"z":null})");
}

TEST(PartialCalls, NestedObjectsAndArrays) {
  expect_call(
      {start("f"), piece(text("$.recipe.name", "Pie", false)),
       piece(text("$.recipe.ingredients[0].name", "ap")),
       piece(text("$.recipe.ingredients[0].name", "ple", false)),
       piece(value("$.recipe.ingredients[0].amount", R"("numberValue":3)")),
       piece(text("$.recipe.ingredients[1].name", "flour", false)),
       piece(text("$.recipe.steps[0]", "mix", false)),
       piece(text("$.recipe.steps[1]", "bake", false)), k_end},
      R"({"recipe":{"name":"Pie","ingredients":[{"name":"apple","amount":3},{"name":"flour"}],)"
      R"("steps":["mix","bake"]}})");
}

TEST(PartialCalls, ABareBoundaryBetweenElements) {
  expect_call(
      {start("f"), piece(text("$.a[0]", "x", false)), R"({"functionCall":{"willContinue":true}})",
       piece(text("$.a[1]", "y", false)), k_end},
      R"({"a":["x","y"]})");
}

TEST(PartialCalls, AnEmptyArrayAndAnEmptyObject) {
  expect_call(
      {start("f"), piece(R"({"jsonPath":"$.tags[]"})"), piece(R"({"jsonPath":"$.meta"})"), k_end},
      R"({"tags":[],"meta":{}})");
}

TEST(PartialCalls, AMissingTerminator) {
  expect_call({start("f"), piece(text("$.a", "x")), piece(text("$.a", "", false), false)},
              R"({"a":"x"})");
}

TEST(PartialCalls, AMissingTerminatorBeforeOtherText) {
  expect_call({start("f"), piece(value("$.a", R"("numberValue":1)"), false), R"({"text":""})"},
              R"({"a":1})");
}

TEST(PartialCalls, PathsWithQuotedKeys) {
  expect_call({start("f"), piece(text("$['a b']", "x", false)),
               piece(text("$['it\\\\'s']", "y", false)), k_end},
              R"({"a b":"x","it's":"y"})");
}

TEST(PartialCalls, TextWithEscapesAndCharactersOfEverySize) {
  expect_call(
      {start("f"), piece(text("$.c", R"(a\"b\\\n)")),
       piece(text("$.c", "\xC3\xA9\xF0\x9F\x98\x80")), piece(text("$.c", "", false)), k_end},
      R"({"c":"a\"b\\\n\u00e9\ud83d\ude00"})");
}

TEST(PartialCalls, AStringClosedByAnEntryWithoutAValue) {
  expect_call({start("f"), piece(text("$.a", "x")), piece(R"({"jsonPath":"$.a"})"), k_end},
              R"({"a":"x"})");
}

TEST(PartialCalls, StartAndFirstArgumentInOnePiece) {
  expect_call({R"({"functionCall":{"name":"f","partialArgs":[)" + text("$.a", "x", false) +
                   R"(],"willContinue":true},"thoughtSignature":"c2ln"})",
               k_end},
              R"({"a":"x"})");
}

TEST(PartialCalls, SeveralCallsOneAfterAnother) {
  const std::string bytes =
      stream({start("f"), piece(text("$.a", "x", false)), k_end,
              R"({"functionCall":{"name":"g","willContinue":true}})",
              piece(value("$.n", R"("numberValue":1)")), start("h", "c2"), k_end});
  const Reply expected{
      .calls = {R"(f#call_gemini_1{"a":"x"})", R"(g#call_gemini_2{"n":1})", "h#call_gemini_3{}"},
      .parts = {part("f", R"({"a":"x"})"), R"({"functionCall":{"name":"g","args":{"n":1}}})",
                part("h", "{}", "c2")},
      .shown = R"(<call_gemini_1 f>{"a":"x"}<call_gemini_2 g>{"n":1}<call_gemini_3 h>{})"};
  for (const test::Split& split : test::splits_of(bytes)) {
    ASSERT_EQ(read(split.parts), expected) << split.name;
  }
}

TEST(PartialCalls, AWholeCallBesidesOneInPieces) {
  const Reply seen = read({stream({start("f"), piece(text("$.a", "x", false)),
                                   R"({"functionCall":{"name":"g","args":{"b":2},"id":"i1"}})"})});
  EXPECT_EQ(seen.calls, (Strings{R"(f#call_gemini_1{"a":"x"})", R"(g#i1{"b":2})"}));
}

TEST(PartialCalls, ACallWithoutArguments) {
  const Reply seen =
      read({stream({R"({"functionCall":{"name":"theme"},"thoughtSignature":"c2ln"})"})});
  EXPECT_EQ(seen.calls, Strings{"theme#call_gemini_1{}"});
  EXPECT_EQ(seen.parts, Strings{R"({"functionCall":{"name":"theme"},"thoughtSignature":"c2ln"})"});
}

TEST(PartialCalls, AGapOrAClashLosesTheCall) {
  for (const std::string& bad :
       {text("$.a[1000000000]", "x", false),
        text("$.a[0].b", "x", false) + "," + text("$.a.c", "y"), text("nonsense", "x", false)}) {
    const Reply seen =
        read({stream({start("f"), piece(bad), piece(text("$.b", "y", false)), k_end})});
    EXPECT_TRUE(seen.calls.empty()) << bad;
    EXPECT_TRUE(seen.parts.empty()) << bad;
    EXPECT_NE(seen.bad_call, "none") << bad;
  }
}

TEST(PartialCalls, AStringThatWasAnnouncedToGoOnLosesTheCall) {
  const Reply seen = read({stream({start("f"), piece(text("$.a", "half"))})});
  EXPECT_TRUE(seen.calls.empty());
  EXPECT_TRUE(seen.parts.empty());
  EXPECT_EQ(seen.bad_call, "its arguments were cut off");
}

TEST(PartialCalls, TheOutputLimitCutsACallOff) {
  const Reply seen = read({stream({start("f"), piece(text("$.a", "half"))}, "MAX_TOKENS")});
  EXPECT_TRUE(seen.calls.empty());
  EXPECT_TRUE(seen.parts.empty());
  EXPECT_EQ(seen.bad_call, "none");
  EXPECT_EQ(seen.cut_call, "f");
}

}  // namespace
}  // namespace yume::agent
