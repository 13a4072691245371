// SPDX-License-Identifier: MIT
#include "protocol/claude/claude_stream.h"

#include "support/line_checks.h"
#include "support/recorded_lines.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace yume::protocol {
namespace {

using nlohmann::json;
using std::chrono::milliseconds;
using Strings = std::vector<std::string>;

core::ToolCall call(const std::string& id, const std::string& input = R"({"file_path":"x"})") {
  return {.id = id, .name = "Read", .input = {input}};
}

struct Scene {
  Scene() {
    at(core::SessionStarted{.session_id = "S",
                            .model = "gemini-x",
                            .cwd = "/w",
                            .mode = core::PermissionMode::accept_edits,
                            .tools = {"Read", "Bash"},
                            .credential_source = "GEMINI_API_KEY"});
    init = output.take().front();
  }
  void at(const core::Event& event) { dialect.on_event(event, {}); }
  void message(const std::string& id) {
    at(core::MessageStarted{.message_id = id, .model = "gemini-x"});
  }
  Strings lines() {
    test::expect_good_lines(output.lines);
    return test::without_ids(output.take());
  }

  test::RecordedLines output;
  test::MemoryOverflow overflow;
  ClaudeStream dialect{output, overflow, core::Address{"S0"}};
  std::string init;
};

std::string usage(int input, int cached, int out) {
  return R"("usage":{"input_tokens":)" + std::to_string(input) +
         R"(,"cache_creation_input_tokens":0,"cache_read_input_tokens":)" + std::to_string(cached) +
         R"(,"output_tokens":)" + std::to_string(out) +
         R"(,"server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},)"
         R"("service_tier":"standard","cache_creation":{"ephemeral_1h_input_tokens":0,)"
         R"("ephemeral_5m_input_tokens":0}})";
}

std::string assistant(const std::string& block, const std::string& used,
                      const std::string& more = "", const std::string& id = "msg_1") {
  return R"({"type":"assistant","message":{"id":")" + id +
         R"(","type":"message","role":"assistant","model":"gemini-x","content":[)" + block +
         R"(],"stop_reason":null,"stop_sequence":null,)" + used +
         R"(},"parent_tool_use_id":null,)" + more + R"("session_id":"S","uuid":"U"})";
}

std::string tool_result(const std::string& fields, const std::string& more = "") {
  return R"({"type":"user","message":{"role":"user","content":[{"type":"tool_result",)" + fields +
         R"(}]},"parent_tool_use_id":null,)" + more + R"("session_id":"S","uuid":"U"})";
}

TEST(ClaudeStream, StartsWithACompleteInit) {
  const Scene scene;
  test::expect_good_line(scene.init);
  EXPECT_EQ(test::without_ids(scene.init),
            R"({"type":"system","subtype":"init","cwd":"/w","tools":["Read","Bash"],)"
            R"("mcp_servers":[],"model":"gemini-x","permissionMode":"acceptEdits",)"
            R"("slash_commands":[],"apiKeySource":"GEMINI_API_KEY",)"
            R"("claude_code_version":"2.1.325","output_style":"default","agents":[],"skills":[],)"
            R"("plugins":[],"session_id":"S","uuid":"U"})");
}

TEST(ClaudeStream, WritesOneLinePerBlockWithTheSameMessageId) {
  Scene scene;
  scene.at(core::UsageUpdated{{.prompt_tokens = 10, .cached_tokens = 4, .output_tokens = 1}});
  scene.message("msg_1");
  scene.at(core::ThoughtDelta{"let me "});
  scene.at(core::ThoughtDelta{"see"});
  scene.at(core::TextDelta{"I look"});
  scene.at(core::TextDelta{" at x."});
  scene.at(core::ToolCallReady{call("a")});
  scene.at(core::ToolCallReady{call("b")});
  EXPECT_EQ(scene.lines(),
            (Strings{assistant(R"({"type":"thinking","thinking":"let me see","signature":""})",
                               usage(6, 4, 1)),
                     assistant(R"({"type":"text","text":"I look at x."})", usage(6, 4, 1)),
                     assistant(R"({"type":"tool_use","id":"a","name":"Read",)"
                               R"("input":{"file_path":"x"}})",
                               usage(6, 4, 1)),
                     assistant(R"({"type":"tool_use","id":"b","name":"Read",)"
                               R"("input":{"file_path":"x"}})",
                               usage(6, 4, 1))}));
}

TEST(ClaudeStream, HoldsABlockUntilItIsComplete) {
  Scene scene;
  scene.message("msg_1");
  scene.at(core::TextDelta{"half"});
  EXPECT_EQ(scene.lines(), Strings{});
  scene.at(
      core::MessageDone{.stop = core::StopReason::end_turn,
                        .usage = {.prompt_tokens = 9, .output_tokens = 3, .thought_tokens = 1}});
  EXPECT_EQ(scene.lines(), Strings{assistant(R"({"type":"text","text":"half"})", usage(9, 0, 4))});
}

TEST(ClaudeStream, WritesNoLineForAnEmptyBlock) {
  Scene scene;
  scene.message("msg_1");
  scene.at(core::TextDelta{""});
  scene.at(core::ThoughtDelta{""});
  scene.at(core::MessageDone{});
  EXPECT_EQ(scene.lines(), Strings{});
}

TEST(ClaudeStream, TellsOfProgressAndBackgroundCommands) {
  Scene scene;
  scene.at(
      core::ToolProgress{.call_id = "c1", .tool_name = "Bash", .elapsed = std::chrono::seconds(7)});
  scene.at(core::BackgroundStarted{.task_id = "bash_1", .call_id = "c1", .description = "Serves"});
  scene.at(core::BackgroundEnded{.task_id = "bash_1",
                                 .call_id = "c1",
                                 .status = core::BackgroundStatus::killed,
                                 .summary = "was stopped",
                                 .output_file = "/o"});
  const std::string end = R"("session_id":"S","uuid":"U"})";
  EXPECT_EQ(scene.lines(),
            (Strings{R"({"type":"tool_progress","tool_use_id":"c1","tool_name":"Bash",)"
                     R"("parent_tool_use_id":null,"elapsed_time_seconds":7,)" +
                         end,
                     R"({"type":"system","subtype":"task_started","task_id":"bash_1",)"
                     R"("tool_use_id":"c1","description":"Serves","task_type":"local_bash",)" +
                         end,
                     R"({"type":"system","subtype":"task_updated","task_id":"bash_1",)"
                     R"("patch":{"status":"killed"},)" +
                         end,
                     R"({"type":"system","subtype":"task_notification","task_id":"bash_1",)"
                     R"("tool_use_id":"c1","status":"stopped","output_file":"/o",)"
                     R"("summary":"was stopped",)" +
                         end}));
}

TEST(ClaudeStream, WritesToolResultsAsHostsReadThem) {
  Scene scene;
  scene.at(core::ToolFinished{call("a"), {.content = "found", .details = core::PlanApproved{"p"}}});
  scene.at(
      core::ToolFinished{call("b"), {.content = "ran", .details = {}, .reports_success = true}});
  scene.at(core::ToolFinished{
      call("c"), {.is_error = true, .content = "bad", .details = core::CallFailed{"bad"}}});
  EXPECT_EQ(scene.lines(),
            (Strings{tool_result(R"("tool_use_id":"a","content":"found")",
                                 R"("tool_use_result":{"plan":"p","isAgent":false},)"),
                     tool_result(R"("tool_use_id":"b","content":"ran","is_error":false)"),
                     tool_result(R"("tool_use_id":"c","content":"bad","is_error":true)",
                                 R"("tool_use_result":"Error: bad",)")}));
}

TEST(ClaudeStream, WritesSystemNotices) {
  Scene scene;
  scene.at(core::PermissionRefused{call("a"), "not allowed"});
  scene.at(core::RetryScheduled{.attempt = 1,
                                .max_retries = 5,
                                .delay = milliseconds(500),
                                .http_status = 0,
                                .kind = core::FailureKind::server_error,
                                .reason = "cut"});
  scene.at(core::RetryScheduled{.attempt = 2,
                                .max_retries = 5,
                                .delay = milliseconds(1000),
                                .http_status = 503,
                                .kind = core::FailureKind::rate_limit,
                                .reason = "overloaded"});
  scene.at(core::Notice{"careful"});
  EXPECT_EQ(
      scene.lines(),
      (Strings{
          R"({"type":"system","subtype":"permission_denied","tool_name":"Read",)"
          R"("tool_use_id":"a","message":"not allowed","session_id":"S","uuid":"U"})",
          R"({"type":"system","subtype":"api_retry","attempt":1,"max_retries":5,)"
          R"("retry_delay_ms":500,"error_status":null,"error":"server_error","message":"cut","session_id":"S",)"
          R"("uuid":"U"})",
          R"({"type":"system","subtype":"api_retry","attempt":2,"max_retries":5,)"
          R"("retry_delay_ms":1000,"error_status":503,"error":"rate_limit","message":"overloaded",)"
          R"("session_id":"S","uuid":"U"})",
          R"({"type":"system","subtype":"informational","content":"careful",)"
          R"("level":"info","session_id":"S","uuid":"U"})"}));
}

core::TurnDone turn(core::TurnOutcome outcome, std::string text) {
  core::TurnDone done;
  done.outcome = outcome;
  done.text = std::move(text);
  done.duration = milliseconds(12);
  done.api_duration = milliseconds(10);
  done.num_turns = 2;
  done.total = {.prompt_tokens = 30, .cached_tokens = 10, .output_tokens = 5};
  done.last_request = {.prompt_tokens = 20, .output_tokens = 2};
  return done;
}

TEST(ClaudeStream, EndsWithACompleteResult) {
  Scene scene;
  core::TurnDone done = turn(core::TurnOutcome::success, "hello");
  done.by_model["gemini-x"] = {
      .usage = done.total, .cost_usd = 0.1 + 0.2, .context_window = 1000, .max_output_tokens = 50};
  done.denials = {{.id = "b", .name = "Bash", .input = {R"({"command":"x"})"}}};
  done.files_written = {"/w/a"};
  scene.at(done);
  EXPECT_EQ(
      scene.lines(),
      Strings{R"({"type":"result","subtype":"success","is_error":false,"duration_ms":12,)"
              R"("duration_api_ms":10,"num_turns":2,"result":"hello","api_error_status":null,)"
              R"("stop_reason":"end_turn","total_cost_usd":0.3,)" +
              usage(20, 10, 5) +
              R"(,"modelUsage":{"gemini-x":{"inputTokens":20,"outputTokens":5,)"
              R"("cacheReadInputTokens":10,"cacheCreationInputTokens":0,)"
              R"("webSearchRequests":0,"costUSD":0.3,"contextWindow":1000,)"
              R"("maxOutputTokens":50}},"permission_denials":[{"tool_name":"Bash",)"
              R"("tool_use_id":"b","tool_input":{"command":"x"}}],"files_written":["/w/a"],)"
              R"("terminal_reason":"completed","session_id":"S","uuid":"U"})"});
}

TEST(ClaudeStream, ReportsAnApiFailureAsClaudeDoes) {
  Scene scene;
  scene.message("msg_1");
  scene.at(core::TextDelta{"partial"});
  core::TurnDone done = turn(core::TurnOutcome::failed, "API Error: 503 overloaded");
  done.failure = core::FailureKind::server_error;
  done.http_status = 503;
  scene.at(done);
  const Strings lines = scene.lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0], assistant(R"({"type":"text","text":"partial"})", usage(0, 0, 0)));
  json failure = json::parse(lines[1]);
  EXPECT_EQ(failure["message"]["model"], "<synthetic>");
  EXPECT_EQ(failure["message"]["stop_reason"], "stop_sequence");
  EXPECT_EQ(failure["message"]["content"].dump(),
            R"([{"text":"API Error: 503 overloaded","type":"text"}])");
  EXPECT_EQ(failure["error"], "server_error");
  const json result = json::parse(lines[2]);
  EXPECT_EQ(result["subtype"], "success");
  EXPECT_EQ(result["is_error"], true);
  EXPECT_EQ(result["result"], "API Error: 503 overloaded");
  EXPECT_EQ(result["api_error_status"], 503);
  EXPECT_EQ(result["stop_reason"], "stop_sequence");
  EXPECT_EQ(result["terminal_reason"], "api_error");
  EXPECT_FALSE(result.contains("errors"));
}

TEST(ClaudeStream, NamesEveryKindOfFailure) {
  using core::FailureKind;
  const std::vector<std::pair<FailureKind, std::string>> names = {
      {FailureKind::authentication, "authentication_failed"},
      {FailureKind::rate_limit, "rate_limit"},
      {FailureKind::invalid_request, "invalid_request"},
      {FailureKind::model_not_found, "model_not_found"},
      {FailureKind::server_error, "server_error"},
      {FailureKind::max_output_tokens, "max_output_tokens"},
      {FailureKind::refusal, "invalid_request"},
      {FailureKind::unknown, "unknown"},
      {FailureKind::none, "unknown"}};
  for (const auto& [kind, name] : names) {
    Scene scene;
    core::TurnDone done = turn(core::TurnOutcome::failed, "x");
    done.failure = kind;
    scene.at(done);
    EXPECT_EQ(json::parse(scene.output.lines.front())["error"], name);
  }
}

TEST(ClaudeStream, ReportsAnInterruptWhileStreaming) {
  Scene scene;
  scene.message("msg_1");
  scene.at(core::TextDelta{"half"});
  core::TurnDone done = turn(core::TurnOutcome::interrupted, "");
  done.stop = core::StopReason::aborted;
  scene.at(done);
  const Strings lines = scene.lines();
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_EQ(lines[0],
            assistant(R"({"type":"text","text":"half"})", usage(0, 0, 0), R"("aborted":true,)"));
  EXPECT_EQ(lines[1], R"({"type":"user","message":{"role":"user","content":[{"type":"text",)"
                      R"("text":"[Request interrupted by user]"}]},"parent_tool_use_id":null,)"
                      R"("session_id":"S","uuid":"U"})");
  const json result = json::parse(lines[2]);
  EXPECT_EQ(result["subtype"], "error_during_execution");
  EXPECT_EQ(result["is_error"], true);
  EXPECT_EQ(result["stop_reason"], nullptr);
  EXPECT_EQ(result["errors"].dump(), R"(["Request interrupted by user"])");
  EXPECT_EQ(result["terminal_reason"], "aborted_streaming");
  EXPECT_FALSE(result.contains("result"));
}

TEST(ClaudeStream, ReportsAnInterruptInATool) {
  Scene scene;
  core::TurnDone done = turn(core::TurnOutcome::interrupted, "");
  done.interrupted_in_tool = true;
  scene.at(done);
  const Strings lines = scene.lines();
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(json::parse(lines[0])["message"]["content"][0]["text"],
            "[Request interrupted by user for tool use]");
  EXPECT_EQ(json::parse(lines[1])["terminal_reason"], "aborted_tools");
}

TEST(ClaudeStream, ReportsMaxTurnsAndRejection) {
  for (const auto outcome : {core::TurnOutcome::max_turns, core::TurnOutcome::rejected}) {
    Scene scene;
    core::TurnDone done = turn(outcome, "why");
    done.stop = core::StopReason::tool_use;
    scene.at(done);
    const Strings lines = scene.lines();
    ASSERT_EQ(lines.size(), 1U);
    const json result = json::parse(lines[0]);
    const bool max_turns = outcome == core::TurnOutcome::max_turns;
    EXPECT_EQ(result["subtype"], max_turns ? "error_max_turns" : "error_during_execution");
    EXPECT_EQ(result["errors"].dump(), R"(["why"])");
    EXPECT_EQ(result["is_error"], true);
    EXPECT_EQ(result["stop_reason"], "tool_use");
    EXPECT_EQ(result.value("terminal_reason", "none"), max_turns ? "max_turns" : "none");
  }
}

TEST(ClaudeStream, NamesTheSessionEvenWhenNoTurnBegan) {
  test::RecordedLines output;
  test::MemoryOverflow overflow;
  ClaudeStream dialect(output, overflow, core::Address{"S0"});
  dialect.on_event(turn(core::TurnOutcome::rejected, "no such session"), {});
  ASSERT_EQ(output.lines.size(), 1U);
  EXPECT_EQ(json::parse(output.lines[0])["session_id"], "S0");
}

TEST(ClaudeStream, GivesEveryResultWhatTheSdksDemand) {
  using core::TurnOutcome;
  for (const auto outcome : {TurnOutcome::success, TurnOutcome::max_turns, TurnOutcome::interrupted,
                             TurnOutcome::failed, TurnOutcome::rejected}) {
    Scene scene;
    scene.at(turn(outcome, "text"));
    const json result = json::parse(scene.output.lines.back());
    EXPECT_EQ(result["type"], "result");
    for (const char* count : {"duration_ms", "duration_api_ms", "num_turns"}) {
      EXPECT_TRUE(result[count].is_number_integer()) << count;
    }
    for (const char* count : {"input_tokens", "output_tokens", "cache_read_input_tokens",
                              "cache_creation_input_tokens"}) {
      EXPECT_TRUE(result["usage"][count].is_number_integer()) << count;
    }
    EXPECT_TRUE(result["modelUsage"].is_object());
    EXPECT_TRUE(result["total_cost_usd"].is_number());
    EXPECT_TRUE(result["permission_denials"].is_array());
    EXPECT_TRUE(result["is_error"].is_boolean());
    EXPECT_TRUE(result["session_id"].is_string());
    if (result["subtype"] == "success") {
      EXPECT_TRUE(result["result"].is_string());
    } else {
      EXPECT_TRUE(result["errors"].is_array());
    }
  }
}

TEST(ClaudeStream, SplitsAHugeBlockAndLosesNothing) {
  Scene scene;
  std::string text;
  while (text.size() < 1'000'000) text += "\xF0\x9F\x98\x80\x01\"\\ plain ";
  scene.message("msg_1");
  scene.at(core::TextDelta{text});
  scene.at(core::MessageDone{});
  test::expect_good_lines(scene.output.lines);
  std::string joined;
  for (const std::string& line : scene.output.lines) {
    const json message = json::parse(line)["message"];
    EXPECT_EQ(message["id"], "msg_1");
    joined += message["content"][0]["text"].get<std::string>();
  }
  EXPECT_EQ(joined, text);
}

TEST(ClaudeStream, CutsHugeResultsAndLeavesHugeDetailsOut) {
  Scene scene;
  const std::string content(300'000, '\x7F');
  const core::PlanApproved details{std::string(1'500'000, 'x')};
  scene.at(core::ToolFinished{call("a"), {.content = content, .details = details}});
  scene.at(core::ToolFinished{call("b"), {.content = "small", .details = details}});
  test::expect_good_lines(scene.output.lines);
  const json first = json::parse(scene.output.lines[0]);
  EXPECT_FALSE(first.contains("tool_use_result"));
  EXPECT_TRUE(first["message"]["content"][0]["content"].get<std::string>().ends_with(
      "the whole text is in /kept/a.txt]"));
  EXPECT_EQ(scene.overflow.kept["a"], content);
  EXPECT_FALSE(json::parse(scene.output.lines[1]).contains("tool_use_result"));
}

TEST(ClaudeStream, CountsDetailsAsTheyWillBeWritten) {
  Scene scene;
  std::string plan;
  for (int i = 0; i < 300'000; ++i) plan += "\xC3\xA9";  // 600 kB raw, 1.8 MB escaped
  scene.at(core::ToolFinished{call("a"), {.content = "x", .details = core::PlanApproved{plan}}});
  test::expect_good_lines(scene.output.lines);
  EXPECT_FALSE(json::parse(scene.output.lines[0]).contains("tool_use_result"));
}

TEST(ClaudeStream, ShortensEverythingElseThatIsHuge) {
  Scene scene;
  const std::string huge(300'000, '\x7F');
  std::string many = R"({"a":0)";
  for (int i = 0; i < 60; ++i) {
    many += ",\"k" + std::to_string(i) + "\":\"" + std::string(99'000, 'x') + "\"";
  }
  std::string numbers = R"({"list":[1)";
  for (int i = 0; i < 600'000; ++i) numbers += ",1";
  scene.message("msg_1");
  scene.at(core::ToolCallReady{call("a", many + "}")});
  scene.at(core::ToolCallReady{call("b", numbers + "]}")});
  scene.at(core::PermissionRefused{call("a"), huge});
  scene.at(core::RetryScheduled{.reason = huge});
  scene.at(core::Notice{huge});
  for (const auto outcome : {core::TurnOutcome::success, core::TurnOutcome::failed,
                             core::TurnOutcome::max_turns, core::TurnOutcome::rejected}) {
    core::TurnDone done = turn(outcome, huge);
    for (int i = 0; i < 300; ++i) {
      done.denials.push_back({.id = "w" + std::to_string(i),
                              .name = "Write",
                              .input = {R"({"c":")" + std::string(20'000, 'x') + R"("})"}});
    }
    scene.at(done);
  }
  test::expect_good_lines(scene.output.lines);
}

}  // namespace
}  // namespace yume::protocol
