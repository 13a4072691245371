// SPDX-License-Identifier: MIT
#include "foreign/claude_lines_decoder.h"

#include "unit/foreign/seen_events.h"

#include <gtest/gtest.h>

namespace yume::foreign {
namespace {

using Lines = std::vector<std::string>;

const std::string k_init =
    R"({"type":"system","subtype":"init","cwd":"/p","session_id":"s1","model":"m"})";
const std::string k_good =
    R"({"type":"result","subtype":"success","is_error":false,"duration_ms":9,"num_turns":4,)"
    R"("result":"Done.","stop_reason":"end_turn","usage":{"input_tokens":60,)"
    R"("cache_read_input_tokens":40,"output_tokens":20}})";

std::string assistant(const std::string& id, const std::string& blocks,
                      const std::string& parent = "null") {
  return R"({"type":"assistant","message":{"id":")" + id +
         R"(","role":"assistant","model":"m","content":[)" + blocks +
         R"(]},"parent_tool_use_id":)" + parent + "}";
}
std::string text(const std::string& words) {
  return R"({"type":"text","text":")" + words + R"("})";
}
std::string result_of(const std::string& id, const std::string& more) {
  return R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":")" +
         id + R"(",)" + more + R"(}]},"parent_tool_use_id":null})";
}

Lines decoded(const Lines& lines) {
  ClaudeLinesDecoder decoder;
  return decode_all(decoder, lines);
}

TEST(ClaudeLinesDecoder, GivesATurnTheEventsOfOurOwn) {
  EXPECT_EQ(
      decoded({k_init, assistant("m1", R"({"type":"thinking","thinking":"Hm.","signature":""})"),
               assistant("m1", text("I look.")),
               assistant("m1",
                         R"({"type":"tool_use","id":"t1","name":"Bash","input":{"command":"ls"}})"),
               result_of("t1", R"("content":[{"type":"text","text":"x"}],"is_error":false)"),
               assistant("m2", text("Done.")), k_good}),
      (Lines{"session s1 m in /p", "message m1 m", "thought Hm.", "text I look.",
             "end tool_use 0/0/0/0", R"(call t1 Bash {"command":"ls"})", "result t1 CommandRan | x",
             "message m2 m", "text Done.", "end end_turn 0/0/0/0",
             "done success turns=4 usage=100/40/20/0 | Done."}));
}

TEST(ClaudeLinesDecoder, SaysOnceWhatComesInPiecesAndAsAWhole) {
  const auto piece = [](const std::string& event) {
    return R"({"type":"stream_event","event":)" + event + R"(,"parent_tool_use_id":null})";
  };
  EXPECT_EQ(
      decoded(
          {k_init, piece(R"({"type":"message_start","message":{"id":"m1","model":"m"}})"),
           piece(R"({"type":"content_block_delta","delta":{"type":"text_delta","text":"Do"}})"),
           piece(R"({"type":"content_block_delta","delta":{"type":"text_delta","text":"ne."}})"),
           assistant("m1", text("Done.")), k_good}),
      (Lines{"session s1 m in /p", "message m1 m", "text Do", "text ne.",
             "end end_turn 100/40/20/0", "done success turns=4 usage=100/40/20/0 | Done."}));
}

TEST(ClaudeLinesDecoder, TellsTheLinesOfASubagentApart) {
  ClaudeLinesDecoder decoder;
  std::vector<std::string> parents;
  const Emit emit = [&](const core::Event& event) {
    parents.push_back(std::string(decoder.parent_call_id()) + ": " + seen(event));
  };
  decoder.feed(assistant("m1", text("Mine."), R"("t1")"), emit);
  decoder.feed(assistant("m2", text("Ours.")), emit);
  EXPECT_EQ(parents,
            (Lines{"t1: message m1 m", "t1: text Mine.", ": message m2 m", ": text Ours."}));
}

TEST(ClaudeLinesDecoder, ReadsHowATurnEnded) {
  const auto ended = [](const std::string& more) {
    return decoded({R"({"type":"result",)" + more + "}"}).back();
  };
  EXPECT_EQ(ended(R"("subtype":"error_max_turns","is_error":true,"errors":["too many"])"),
            "done max_turns turns=1 usage=0/0/0/0 | too many");
  EXPECT_EQ(ended(R"("subtype":"error_during_execution","is_error":true,)"
                  R"("errors":["Request interrupted by user"],"terminal_reason":"aborted_tools")"),
            "done interrupted turns=2 usage=0/0/0/0 | Request interrupted by user");
  EXPECT_EQ(
      ended(R"("subtype":"success","is_error":true,"result":"no quota","api_error_status":429)"),
      "done failed turns=1 usage=0/0/0/0 failure=" +
          std::to_string(static_cast<int>(core::FailureKind::rate_limit)) + " http=429 | no quota");
}

TEST(ClaudeLinesDecoder, LeavesNoTaskWithoutAText) {
  EXPECT_EQ(
      decoded(
          {assistant("m1", R"({"type":"tool_use","id":"t","name":"TodoWrite","input":{"todos":[)"
                           R"({"content":"A","status":"cancelled","activeForm":"A"},)"
                           R"({"content":" ","status":"pending","activeForm":""}]}})")})[2],
      R"(call t TodoWrite {"todos":[{"content":"A","status":"completed","activeForm":"A"}]})");
}

TEST(ClaudeLinesDecoder, NeverEndsWellWithoutAResult) {
  EXPECT_EQ(decoded({k_init, assistant("m1", text("Hi."))}).back(),
            "done failed turns=1 usage=0/0/0/0 failure=8 | the output ended without a result");
  EXPECT_EQ(decoded({}).back(),
            "done failed turns=1 usage=0/0/0/0 failure=8 | the output ended without a result");
}

TEST(ClaudeLinesDecoder, SkipsWhatItCannotReadAndWhatIsNoPartOfATurn) {
  EXPECT_EQ(decoded({"not json", R"([1])", R"({"type":"assistant")",
                     R"({"type":"control_request","request_id":"r","request":{}})",
                     R"({"type":"keep_alive"})", R"({"type":7})", k_init, k_good}),
            (Lines{"bad not json", "bad [1]", R"(bad {"type":"assistant")", "session s1 m in /p",
                   "done success turns=4 usage=100/40/20/0 | Done."}));
}

}  // namespace
}  // namespace yume::foreign
