// SPDX-License-Identifier: MIT
#include "foreign/acp_decoder.h"

#include "unit/foreign/seen_events.h"

#include <gtest/gtest.h>

namespace yume::foreign {
namespace {

using Lines = std::vector<std::string>;

std::string update(const std::string& fields) {
  return R"({"jsonrpc":"2.0","method":"session/update","params":{"sessionId":"s1","update":{)" +
         fields + "}}}";
}

std::string chunk(const std::string& kind, const std::string& text, const std::string& id = "") {
  return update(R"("sessionUpdate":")" + kind + R"(","content":{"type":"text","text":")" + text +
                R"("})" + (id.empty() ? "" : R"(,"messageId":")" + id + R"(")"));
}

std::string said(const std::string& text, const std::string& id = "") {
  return chunk("agent_message_chunk", text, id);
}

std::string response(int id, const std::string& result) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"result":)" + result + "}";
}

std::string request(int id, const std::string& method, const std::string& params) {
  return R"({"jsonrpc":"2.0","id":)" + std::to_string(id) + R"(,"method":")" + method +
         R"(","params":)" + params + "}";
}

const std::string k_end = response(9, R"({"stopReason":"end_turn"})");

Lines decoded(const Lines& lines, AtEnd at_end = AtEnd::finish) {
  AcpDecoder decoder;
  return decode_all(decoder, lines, at_end);
}

TEST(AcpDecoder, ReadsAConnectionOfBothDirections) {
  EXPECT_EQ(
      decoded({request(0, "initialize", R"({"protocolVersion":1})"),
               response(0, R"({"protocolVersion":1,"agentInfo":{"name":"x","version":"1"}})"),
               request(1, "session/new", R"({"cwd":"/p","mcpServers":[]})"),
               response(
                   1, R"({"sessionId":"s1","models":{"currentModelId":"m","availableModels":[]}})"),
               request(2, "session/prompt",
                       R"({"sessionId":"s1","prompt":[{"type":"text","text":"Hi"}]})"),
               chunk("user_message_chunk", "Hi"), chunk("agent_thought_chunk", "Hm", "a"),
               said("Hel", "a"), said("lo", "a"),
               response(2, R"({"stopReason":"end_turn","usage":{"inputTokens":5,"outputTokens":2,)"
                           R"("cachedReadTokens":3,"totalTokens":10}})")}),
      (Lines{"session s1 m in /p", "prompt Hi", "message a m", "thought Hm", "text Hel", "text lo",
             "end end_turn 8/3/2/0", "done success turns=1 usage=8/3/2/0 | Hello"}));
}

TEST(AcpDecoder, WaitsForTheInputOfACallThatIsNamedEarly) {
  EXPECT_EQ(
      decoded(
          {said("Now."),
           update(
               R"("sessionUpdate":"tool_call","toolCallId":"t1","title":"Write","kind":"edit",)"
               R"("status":"pending","rawInput":{},"_meta":{"claudeCode":{"toolName":"Write"}})"),
           update(R"("sessionUpdate":"tool_call_update","toolCallId":"t1","rawInput":)"
                  R"({"file_path":"/p/a","content":"x"},"content":[{"type":"diff","path":"/p/a",)"
                  R"("oldText":null,"newText":"x"}])"),
           update(R"("sessionUpdate":"tool_call_update","toolCallId":"t1","status":"completed",)"
                  R"("rawOutput":"File created")"),
           said("Done."), k_end}),
      (Lines{"message msg_1 ", "text Now.", "end tool_use 0/0/0/0",
             R"(call t1 Write {"file_path":"/p/a","content":"x"})",
             "result t1 FileWritten | File created", "message msg_2 ", "text Done.",
             "end end_turn 0/0/0/0", "done success turns=2 usage=0/0/0/0 | Done."}));
}

TEST(AcpDecoder, MakesTheInputThatGeminiDoesNotSay) {
  EXPECT_EQ(
      decoded(
          {update(R"("sessionUpdate":"tool_call","toolCallId":"read_file-1","title":"a.txt",)"
                  R"("kind":"read","status":"in_progress","locations":[{"path":"/p/a.txt"}])"),
           update(R"("sessionUpdate":"tool_call_update","toolCallId":"read_file-1",)"
                  R"("status":"completed","content":[])"),
           request(
               0, "session/request_permission",
               R"({"sessionId":"s1","toolCall":{"toolCallId":"replace-2","title":"b","kind":"edit",)"
               R"("status":"pending","content":[{"type":"diff","path":"/p/b","oldText":"o",)"
               R"("newText":"n"}]},"options":[{"optionId":"y","kind":"allow_once","name":"Yes"}]})"),
           response(0, R"({"outcome":{"outcome":"selected","optionId":"y"}})"),
           update(R"("sessionUpdate":"tool_call_update","toolCallId":"replace-2",)"
                  R"("status":"completed")"),
           k_end}),
      (Lines{"message msg_1 ", "end tool_use 0/0/0/0",
             R"(call read_file-1 Read {"file_path":"/p/a.txt"})", "result read_file-1 | ",
             "message msg_2 ", "end tool_use 0/0/0/0",
             R"(call replace-2 Edit {"file_path":"/p/b","old_string":"o","new_string":"n"})",
             "result replace-2 FileEdited | ", "done success turns=3 usage=0/0/0/0 | "}));
}

TEST(AcpDecoder, EndsACallThatWasRefusedAndNeverSpokenOfAgain) {
  const std::string ask =
      R"({"sessionId":"s1","toolCall":{"toolCallId":"run_shell_command-1","title":"rm x",)"
      R"("kind":"execute","status":"pending"},"options":[{"optionId":"no","kind":"reject_once"}]})";
  EXPECT_EQ(decoded({request(0, "session/request_permission", ask),
                     response(0, R"({"outcome":{"outcome":"selected","optionId":"no"}})"),
                     update(R"("sessionUpdate":"tool_call_update",)"
                            R"("toolCallId":"run_shell_command-1","status":"failed")"),
                     k_end}),
            (Lines{"message msg_1 ", "end tool_use 0/0/0/0",
                   R"(call run_shell_command-1 Bash {"command":"rm x"})",
                   "result run_shell_command-1 error CallRejected | The call was refused",
                   "done success turns=2 usage=0/0/0/0 denied=run_shell_command-1 | "}));
}

TEST(AcpDecoder, AnnouncesACallThatIsFirstNamedWhenItHasFailed) {
  EXPECT_EQ(decoded({update(R"("sessionUpdate":"tool_call_update","toolCallId":"glob-3",)"
                            R"("status":"failed","content":[{"type":"content","content":)"
                            R"({"type":"text","text":"bad"}}])"),
                     k_end}),
            (Lines{"message msg_1 ", "end tool_use 0/0/0/0", R"(call glob-3 Glob {"pattern":""})",
                   "result glob-3 error | bad", "done success turns=2 usage=0/0/0/0 | "}));
}

TEST(AcpDecoder, ReadsOlderShapes) {
  EXPECT_EQ(
      decoded({update(R"("sessionUpdate":"tool_call","toolCall":{"toolCallId":"t","kind":"read",)"
                      R"("status":"completed","locations":["/p/x"],"content":{"type":"content",)"
                      R"("content":{"type":"text","text":"hello"}}})"),
               update(R"("sessionUpdate":"plan","entries":[{"text":"one"},{"content":" "}])"),
               update(R"("sessionUpdate":"plan","entries":[{"text":"one"}])"), k_end}),
      (Lines{"message msg_1 ", "end tool_use 0/0/0/0", R"(call t Read {"file_path":"/p/x"})",
             "result t | hello", "message msg_2 ", "end tool_use 0/0/0/0",
             R"(call plan-1 TodoWrite {"todos":[{"content":"one","status":"pending",)"
             R"("activeForm":"one"}]})",
             "result plan-1 TodosChanged | The list of tasks has changed.",
             "done success turns=3 usage=0/0/0/0 | "}));
}

TEST(AcpDecoder, TakesGeminisModeOutOfItsTextAndPartsItsThoughts) {
  EXPECT_EQ(
      decoded({response(0, R"({"protocolVersion":1,"agentInfo":{"name":"gemini-cli"}})"),
               said("[MODE_UPDATE] yolo"), chunk("agent_thought_chunk", "**A**\\nx"),
               chunk("agent_thought_chunk", "**B**\\ny"), k_end}),
      (Lines{"mode bypassPermissions", "message msg_1 ", "thought **A**\nx", "thought \n\n**B**\ny",
             "end end_turn 0/0/0/0", "done success turns=1 usage=0/0/0/0 | "}));
}

TEST(AcpDecoder, EndsTheTurnAsItsStopReasonSays) {
  const auto last = [](const std::string& reply) {
    return decoded({request(2, "session/prompt", R"({"sessionId":"s","prompt":[]})"),
                    R"({"jsonrpc":"2.0","id":2,)" + reply + "}"})
        .back();
  };
  EXPECT_EQ(last(R"("result":{"stopReason":"cancelled"})"),
            "done interrupted turns=2 usage=0/0/0/0 | ");
  EXPECT_EQ(last(R"("result":{"stopReason":"max_turn_requests"})"),
            "done max_turns turns=1 usage=0/0/0/0 | The agent reached its limit of requests in "
            "one turn");
  EXPECT_EQ(last(R"("result":{"stopReason":"refusal"})"),
            "done failed turns=1 usage=0/0/0/0 failure=7 | The agent refused to go on");
  EXPECT_EQ(last(R"("result":{})"),
            "done failed turns=1 usage=0/0/0/0 failure=8 | The agent did not say how the turn "
            "ended");
  EXPECT_EQ(last(R"("error":{"code":-32000,"message":"Authentication required"})"),
            "done failed turns=1 usage=0/0/0/0 failure=1 | Authentication required");
  EXPECT_EQ(
      last(R"("error":{"code":429,"message":"{\"error\":{\"code\":429,\"message\":\"q\"}}"})"),
      "done failed turns=1 usage=0/0/0/0 failure=2 http=429 | q");
  EXPECT_EQ(last(R"("error":{"code":-32603,"message":"Internal error","data":{"details":"d"}})"),
            "done failed turns=1 usage=0/0/0/0 failure=5 | Internal error: d");
}

TEST(AcpDecoder, CountsWhatGeminiSays) {
  EXPECT_EQ(decoded({response(9, R"({"stopReason":"end_turn","_meta":{"quota":{"token_count":)"
                                 R"({"input_tokens":7,"output_tokens":1},"model_usage":[]}}})")})
                .back(),
            "done success turns=1 usage=7/0/1/0 | ");
}

TEST(AcpDecoder, NeverTakesAStreamWithoutAnAnswerForAGoodEnd) {
  EXPECT_EQ(
      decoded({said("Hi"), update(R"("sessionUpdate":"tool_call","toolCallId":"t","title":"x")")}),
      (Lines{"message msg_1 ", "text Hi", "end tool_use 0/0/0/0", R"(call t Tool {"title":"x"})",
             "result t error | [interrupted]",
             "done failed turns=2 usage=0/0/0/0 failure=8 | "
             "the output ended without a result"}));
}

TEST(AcpDecoder, ReplaysAHistoryWithoutATurnOfItsOwn) {
  EXPECT_EQ(decoded({request(1, "session/load", R"({"sessionId":"s7","cwd":"/p","mcpServers":[]})"),
                     chunk("user_message_chunk", "a"), chunk("user_message_chunk", "b"), said("c"),
                     response(1, "{}"), request(2, "session/prompt", R"({"prompt":[]})"), said("d"),
                     response(2, R"({"stopReason":"end_turn"})")}),
            (Lines{"prompt ab", "message msg_1 ", "text c", "end end_turn 0/0/0/0",
                   "session s7  in /p", "prompt ", "message msg_2 ", "text d",
                   "end end_turn 0/0/0/0", "done success turns=1 usage=0/0/0/0 | d"}));
}

TEST(AcpDecoder, ReportsALineThatCannotBeReadAndGoesOn) {
  EXPECT_EQ(decoded({"Ripgrep is not available.", "", "[]", "{}", said("a"), k_end}),
            (Lines{"bad Ripgrep is not available.", "bad []", "bad {}", "message msg_1 ", "text a",
                   "end end_turn 0/0/0/0", "done success turns=1 usage=0/0/0/0 | a"}));
}

TEST(AcpDecoder, ShowsTheOutputOfATerminal) {
  AcpDecoder decoder;
  decoder.set_terminal_output([](const std::string& id) { return "output of " + id; });
  EXPECT_EQ(decode_all(decoder,
                       {update(R"("sessionUpdate":"tool_call","toolCallId":"t","kind":"execute",)"
                               R"("title":"ls","status":"completed","content":)"
                               R"([{"type":"terminal","terminalId":"term_1"}])")},
                       AtEnd::stay_open),
            (Lines{"message msg_1 ", "end tool_use 0/0/0/0", R"(call t Bash {"command":"ls"})",
                   "result t CommandRan | output of term_1"}));
}

TEST(AcpDecoder, ShowsWhatWasPrintedInARecordedTerminal) {
  const std::string call =
      R"("sessionUpdate":"tool_call_update","toolCallId":"t","kind":"execute","title":"ls",)"
      R"("content":[{"type":"terminal","terminalId":"x"}],"status":)";
  EXPECT_EQ(decoded({update(call + R"("in_progress")"),
                     request(7, "terminal/output", R"({"sessionId":"s","terminalId":"x"})"),
                     response(7, R"({"output":"a.txt","truncated":false})"),
                     update(call + R"("completed")"), k_end}),
            (Lines{"message msg_1 ", "end tool_use 0/0/0/0", R"(call t Bash {"command":"ls"})",
                   "result t CommandRan | a.txt", "done success turns=2 usage=0/0/0/0 | "}));
}

TEST(AcpDecoder, KnowsTheNamesOfModes) {
  EXPECT_EQ(acp_mode("autoEdit"), core::PermissionMode::accept_edits);
  EXPECT_EQ(acp_mode("acceptEdits"), core::PermissionMode::accept_edits);
  EXPECT_EQ(acp_mode("yolo"), core::PermissionMode::bypass);
  EXPECT_EQ(acp_mode("plan"), core::PermissionMode::plan);
  EXPECT_EQ(acp_mode("ask"), std::nullopt);
}

}  // namespace
}  // namespace yume::foreign
