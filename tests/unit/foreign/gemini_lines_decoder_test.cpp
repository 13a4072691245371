// SPDX-License-Identifier: MIT
#include "foreign/gemini_lines_decoder.h"

#include "unit/foreign/seen_events.h"

#include <gtest/gtest.h>

namespace yume::foreign {
namespace {

using Lines = std::vector<std::string>;

const std::string k_init =
    R"({"type":"init","timestamp":"2026-08-01T10:00:00.000Z","session_id":"s1","model":"gemini-3"})";
const std::string k_good =
    R"({"type":"result","status":"success","stats":{"total_tokens":130,"input_tokens":100,)"
    R"("output_tokens":20,"cached":40,"input":60,"duration_ms":900,"tool_calls":0}})";

std::string text(const std::string& content) {
  return R"({"type":"message","role":"assistant","content":")" + content + R"(","delta":true})";
}

Lines decoded(const Lines& lines, AtEnd at_end = AtEnd::finish) {
  GeminiLinesDecoder decoder;
  return decode_all(decoder, lines, at_end);
}

TEST(GeminiLinesDecoder, GivesATurnOfTextTheEventsOfOurOwn) {
  EXPECT_EQ(decoded({k_init, R"({"type":"message","role":"user","content":"Hi"})", text("Hel"),
                     text("lo \\u00e9"), k_good}),
            (Lines{"session s1 gemini-3", "prompt Hi", "message msg_1 gemini-3", "text Hel",
                   "text lo \u00e9", "end end_turn 100/40/20/10",
                   "done success turns=1 usage=100/40/20/10 | Hello \u00e9"}));
}

TEST(GeminiLinesDecoder, AnnouncesCallsBehindTheirMessageAndPairsTheResults) {
  EXPECT_EQ(
      decoded(
          {k_init, text("Look:"),
           R"({"type":"tool_use","tool_name":"read_file","tool_id":"read_file__a","parameters":{"file_path":"/p/x","start_line":3,"end_line":5}})",
           R"({"type":"tool_use","tool_name":"run_shell_command","tool_id":"b","parameters":{"command":"ls"}})",
           R"({"type":"tool_result","tool_id":"read_file__a","status":"success","output":""})",
           R"({"type":"tool_result","tool_id":"b","status":"success","output":"x\n"})",
           text("Done."), k_good}),
      (Lines{"session s1 gemini-3", "message msg_1 gemini-3", "text Look:", "end tool_use 0/0/0/0",
             R"(call read_file__a Read {"file_path":"/p/x","offset":3,"limit":3})",
             R"(call b Bash {"command":"ls"})", "result read_file__a | ",
             "result b CommandRan | x\n", "message msg_2 gemini-3", "text Done.",
             "end end_turn 0/0/0/0", "done success turns=3 usage=100/40/20/10 | Done."}));
}

TEST(GeminiLinesDecoder, ReadsTheOtherSpellingOfEachField) {
  EXPECT_EQ(
      decoded(
          {R"({"type":"init","sessionId":"s2","model":"m"})",
           R"({"type":"tool_use","name":"write_file","id":"w","input":{"file_path":"/p/y","content":"c"}})",
           R"({"type":"tool_result","tool_use_id":"w","status":"success","output":{"text":"written"}})",
           R"({"type":"message","role":"assistant","content":"whole"})",
           R"({"type":"result","status":"success"})"}),
      (Lines{"session s2 m", "message msg_1 m", "end tool_use 0/0/0/0",
             R"(call w Write {"file_path":"/p/y","content":"c"})", "result w FileWritten | written",
             "message msg_2 m", "text whole", "end end_turn 0/0/0/0",
             "done success turns=2 usage=0/0/0/0 | whole"}));
}

TEST(GeminiLinesDecoder, KeepsTheWordsOfTheLinesWhenAsked) {
  GeminiLinesDecoder decoder({.words = CallWords::as_given});
  EXPECT_EQ(
      decode_all(
          decoder,
          {R"({"type":"tool_use","tool_name":"write_todos","tool_id":"t","parameters":{"todos":[{"description":"d","status":"cancelled"}]}})"},
          AtEnd::stay_open),
      (Lines{"message msg_1 ", "end tool_use 0/0/0/0",
             R"(call t write_todos {"todos":[{"description":"d","status":"cancelled"}]})"}));
}

TEST(GeminiLinesDecoder, MapsTasksByTheOneRule) {
  EXPECT_EQ(
      decoded(
          {R"({"type":"tool_use","tool_name":"write_todos","tool_id":"t","parameters":{"todos":[{"description":"d","status":"blocked"},{"description":" "}]}})",
           R"({"type":"tool_result","tool_id":"t","status":"success"})", k_good}),
      (Lines{"message msg_1 ", "end tool_use 0/0/0/0",
             R"(call t TodoWrite {"todos":[{"status":"pending","content":"d","activeForm":"d"}]})",
             "result t TodosChanged | ", "done success turns=2 usage=100/40/20/10 | "}));
}

TEST(GeminiLinesDecoder, SaysWhyACallFailed) {
  EXPECT_EQ(
      decoded(
          {R"({"type":"tool_use","tool_name":"edit","tool_id":"1","parameters":{}})",
           R"({"type":"tool_use","tool_name":"x","tool_id":"2","parameters":null})",
           R"({"type":"tool_result","tool_id":"2","status":"error","output":"short","error":{"type":"tool_not_registered","message":"Tool \"x\" not found."}})",
           R"({"type":"tool_result","tool_id":"1","status":"error","output":"no","error":{"type":"policy_violation","message":"denied"}})",
           k_good}),
      (Lines{"message msg_1 ", "end tool_use 0/0/0/0", "call 1 Edit {}", "call 2 x {}",
             "result 2 error | Tool \"x\" not found.", "refused 1 | denied",
             "result 1 error | denied", "done success turns=3 usage=100/40/20/10 denied=1 | "}));
}

TEST(GeminiLinesDecoder, AnnouncesACallThatOnlyItsResultNames) {
  EXPECT_EQ(
      decoded({R"({"type":"tool_result","tool_id":"glob__7","status":"success",)"
               R"("output":"Found 2 files"})",
               k_good}),
      (Lines{"message msg_1 ", "end tool_use 0/0/0/0", "call glob__7 Glob {}",
             "result glob__7 | Found 2 files", "done success turns=2 usage=100/40/20/10 | "}));
}

TEST(GeminiLinesDecoder, MakesAnotherCallOfAnIdThatComesAgain) {
  const std::string use =
      R"({"type":"tool_use","tool_name":"glob","tool_id":"a","parameters":{"pattern":"*"}})";
  const std::string result = R"({"type":"tool_result","tool_id":"a","status":"success"})";
  EXPECT_EQ(decoded({use, result, use, result}, AtEnd::stay_open),
            (Lines{"message msg_1 ", "end tool_use 0/0/0/0", R"(call a Glob {"pattern":"*"})",
                   "result a | ", "message msg_2 ", "end tool_use 0/0/0/0",
                   R"(call a-2 Glob {"pattern":"*"})", "result a-2 | "}));
}

TEST(GeminiLinesDecoder, NeverTakesAStreamWithoutAResultForAGoodEnd) {
  EXPECT_EQ(decoded({}), (Lines{"done failed turns=1 usage=0/0/0/0 failure=8 | "
                                "the output ended without a result"}));
  EXPECT_EQ(decoded({k_init, text("Hi"),
                     R"({"type":"tool_use","tool_name":"glob","tool_id":"a","parameters":{}})"}),
            (Lines{"session s1 gemini-3", "message msg_1 gemini-3", "text Hi",
                   "end tool_use 0/0/0/0", "call a Glob {}", "result a error | [interrupted]",
                   "done failed turns=2 usage=0/0/0/0 failure=8 | "
                   "the output ended without a result"}));
}

TEST(GeminiLinesDecoder, EndsAnInterruptedTurnAsOne) {
  GeminiLinesDecoder decoder;
  Lines all;
  const Emit emit = [&all](const core::Event& event) { all.push_back(seen(event)); };
  decoder.feed(text("Hi"), emit);
  decoder.finish({.outcome = core::TurnOutcome::interrupted, .why = ""}, emit);
  decoder.finish({}, emit);
  EXPECT_EQ(all, (Lines{"message msg_1 ", "text Hi", "end aborted 0/0/0/0",
                        "done interrupted turns=2 usage=0/0/0/0 | "}));
}

TEST(GeminiLinesDecoder, TellsFailuresApart) {
  const auto last = [](const std::string& error) {
    return decoded({R"({"type":"result","status":"error","error":)" + error + "}"}).back();
  };
  EXPECT_EQ(
      last(
          R"({"type":"unknown","message":"[API Error: {\"error\":{\"code\":429,\"message\":\"q\"}}]"})"),
      "done failed turns=1 usage=0/0/0/0 failure=2 http=429 | "
      R"([API Error: {"error":{"code":429,"message":"q"}}])");
  EXPECT_EQ(last(R"({"type":"FatalTurnLimitedError","message":"limit"})"),
            "done max_turns turns=1 usage=0/0/0/0 | limit");
  EXPECT_EQ(last(R"({"type":"FatalCancellationError","message":"c"})"),
            "done interrupted turns=2 usage=0/0/0/0 | c");
  EXPECT_EQ(last(R"({"type":"FatalAuthenticationError","message":"m"})"),
            "done failed turns=1 usage=0/0/0/0 failure=1 | m");
  EXPECT_EQ(last("null"),
            "done failed turns=1 usage=0/0/0/0 failure=8 | the Gemini CLI ended the turn with an "
            "error");
}

TEST(GeminiLinesDecoder, TakesTheTextOfAnErrorResultFromTheErrorBeforeIt) {
  EXPECT_EQ(decoded({R"({"type":"error","severity":"warning","message":"loop"})",
                     R"({"type":"error","severity":"error","message":"blocked for SAFETY"})",
                     R"({"type":"result","status":"error","stats":{}})"}),
            (Lines{"notice loop", "notice blocked for SAFETY",
                   "done failed turns=1 usage=0/0/0/0 failure=8 | blocked for SAFETY"}));
}

TEST(GeminiLinesDecoder, ReportsALineThatCannotBeReadAndGoesOn) {
  const std::string noise =
      "Loaded cached credentials. \xC3\xA9\xC3\xA9 and a lot more than fits in";
  EXPECT_EQ(decoded({noise, "", "  ", "[1]", R"({"type":"message")", R"({"type":"init"} x)", "nul",
                     R"({"type":"brandnew","x":[{}]})", text("a"), k_good}),
            (Lines{"bad Loaded cached credentials. \u00e9\u00e9 and a lot more than ", "bad [1]",
                   R"(bad {"type":"message")", R"(bad {"type":"init"} x)", "bad nul",
                   "message msg_1 ", "text a", "end end_turn 100/40/20/10",
                   "done success turns=1 usage=100/40/20/10 | a"}));
}

TEST(GeminiLinesDecoder, MendsBytesThatAreNoUtf8AndHalfSurrogatePairs) {
  EXPECT_EQ(decoded({text("\xFF"), text("\\ud83d")}, AtEnd::stay_open),
            (Lines{"message msg_1 ", "text \uFFFD", "text \uFFFD"}));
}

TEST(GeminiLinesDecoder, ReadsEveryPrefixOfALineWithoutHarm) {
  const std::string line =
      R"({"type":"tool_use","tool_name":"glob","tool_id":"a","parameters":{"pattern":"\u00e9"}})";
  for (std::size_t size = 1; size < line.size(); ++size) {
    const Lines all = decoded({line.substr(0, size)}, AtEnd::stay_open);
    ASSERT_EQ(all.size(), 1U) << size;
    EXPECT_EQ(all[0].substr(0, 4), "bad ") << size;
  }
}

TEST(GeminiLinesDecoder, TakesASecondRunInTheSameStream) {
  EXPECT_EQ(decoded({k_init, k_init, k_good}),
            (Lines{"session s1 gemini-3",
                   "done failed turns=1 usage=0/0/0/0 failure=8 | "
                   "the output ended without a result",
                   "session s1 gemini-3", "done success turns=1 usage=100/40/20/10 | "}));
}

TEST(GeminiLinesDecoder, HoldsAResultBackUntilItCanBeCompleted) {
  GeminiLinesDecoder decoder;
  Lines all;
  const Emit emit = [&all](const core::Event& event) { all.push_back(seen(event)); };
  bool written = false;
  decoder.set_complete([&written](const std::string& id, core::ToolOutcome& outcome) {
    if (written) outcome.content = "content of " + id;
    return written;
  });
  for (const char* line :
       {R"({"type":"tool_use","tool_name":"read_file","tool_id":"a","parameters":{}})",
        R"({"type":"tool_use","tool_name":"x","tool_id":"b","parameters":{}})",
        R"({"type":"tool_result","tool_id":"a","status":"success","output":""})",
        R"({"type":"tool_result","tool_id":"b","status":"error","output":"no"})"}) {
    decoder.feed(line, emit);
  }
  EXPECT_EQ(all.back(), "call b x {}");
  written = true;
  decoder.feed(text("on"), emit);
  EXPECT_EQ(all,
            (Lines{"message msg_1 ", "end tool_use 0/0/0/0", "call a Read {}", "call b x {}",
                   "result a | content of a", "result b error | no", "message msg_2 ", "text on"}));
}

TEST(GeminiLinesDecoder, CountsEachModelWhereTheLinesDo) {
  GeminiLinesDecoder decoder;
  core::UsageByModel models;
  decoder.feed(
      R"({"type":"result","status":"success","stats":{"input_tokens":5,"models":)"
      R"({"a":{"input_tokens":2,"output_tokens":1,"total_tokens":4},"b":{"input_tokens":3}}}})",
      [&models](const core::Event& event) {
        if (const auto* done = std::get_if<core::TurnDone>(&event)) models = done->by_model;
      });
  ASSERT_EQ(models.size(), 2U);
  EXPECT_EQ(models["a"].usage,
            (core::Usage{.prompt_tokens = 2, .output_tokens = 1, .thought_tokens = 1}));
  EXPECT_EQ(models["b"].usage, (core::Usage{.prompt_tokens = 3}));
}

}  // namespace
}  // namespace yume::foreign
