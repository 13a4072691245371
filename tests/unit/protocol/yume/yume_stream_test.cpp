// SPDX-License-Identifier: MIT
#include "protocol/yume/yume_stream.h"

#include "support/line_checks.h"
#include "support/recorded_lines.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <vector>

namespace yume::protocol {
namespace {

using std::chrono::microseconds;
using std::chrono::milliseconds;
using Strings = std::vector<std::string>;

const platform::SteadyTime k_start{std::chrono::hours(5)};

core::ToolCall call(const std::string& id, const std::string& input = R"({"file_path":"x"})") {
  return {.id = id, .name = "Read", .input = {input}};
}

core::ToolOutcome outcome(std::string content, bool is_error = false) {
  return {.is_error = is_error, .content = std::move(content), .details = {}};
}

// A dialect at a time of the test's choosing.
struct Scene {
  void at(microseconds since_start, const core::Event& event) {
    dialect.on_event(event, k_start + since_start);
  }
  void text(microseconds since_start, const std::string& what) {
    at(since_start, core::TextDelta{what});
  }
  // The `content` of every text line since the last call.
  Strings texts() {
    Strings found;
    for (const std::string& line : output.take()) {
      const auto json = nlohmann::json::parse(line);
      if (json["type"] == "text") found.push_back(json["content"]);
    }
    return found;
  }
  Strings lines() {
    test::expect_good_lines(output.lines);
    return test::without_ids(output.take());
  }

  test::RecordedLines output;
  test::MemoryOverflow overflow;
  YumeStream dialect{output, overflow, "S0"};
};

core::SessionStarted session() {
  return {.session_id = "S",
          .model = "gemini-x",
          .cwd = "/w",
          .mode = core::PermissionMode::default_mode,
          .tools = {"Read", "Bash"},
          .credential_source = "GEMINI_API_KEY"};
}

core::TurnDone success() {
  core::TurnDone done;
  done.text = "hello";
  done.anything_ran = true;
  done.last_request = {
      .prompt_tokens = 100, .cached_tokens = 40, .output_tokens = 5, .thought_tokens = 2};
  done.total = {.prompt_tokens = 300, .cached_tokens = 40, .output_tokens = 9, .thought_tokens = 2};
  done.by_model["gemini-x"] = {
      .usage = done.total, .cost_usd = 0.0125, .context_window = 1000, .max_output_tokens = 50};
  done.num_turns = 3;
  done.duration = milliseconds(1234);
  done.api_duration = milliseconds(1000);
  return done;
}

TEST(YumeStream, WritesAPlainTurn) {
  Scene scene;
  scene.at({}, session());
  scene.at({}, core::MessageStarted{.message_id = "msg_1", .model = "gemini-x"});
  scene.text({}, "h\xC3\xA9llo");
  scene.at({}, core::MessageDone{});
  scene.at({}, success());
  const std::string counts =
      R"("input_tokens":60,"cache_creation_input_tokens":0,"cache_read_input_tokens":40,)"
      R"("output_tokens":7)";
  EXPECT_EQ(
      scene.lines(),
      (Strings{
          R"({"type":"system","subtype":"init","session_id":"S","model":"gemini-x","cwd":"/w",)"
          R"("permissionMode":"default","tools":["Read","Bash"],"uuid":"U"})",
          "{\"type\":\"text\",\"content\":\"h\xC3\xA9llo\",\"id\":\"T\"}",
          R"({"type":"usage",)" + counts + R"(,"usage":{)" + counts + R"(},"uuid":"U"})",
          R"({"type":"result","subtype":"success","is_error":false,"duration_ms":1234,)"
          R"("duration_api_ms":1000,"num_turns":3,"result":"hello","session_id":"S",)"
          R"("model":"gemini-x","total_cost_usd":0.0125,"usage":{)" +
              counts +
              R"(},"modelUsage":{"gemini-x":{"inputTokens":260,"outputTokens":11,)"
              R"("cacheReadInputTokens":40,"cacheCreationInputTokens":0,"webSearchRequests":0,)"
              R"("costUSD":0.0125,"contextWindow":1000,"maxOutputTokens":50}},)"
              R"("permission_denials":[],"files_written":[],"uuid":"U"})",
          R"({"type":"message_stop","uuid":"U"})"}));
}

TEST(YumeStream, WritesTheFirstDeltaAtOnce) {
  Scene scene;
  scene.text({}, "a");
  EXPECT_EQ(scene.texts(), Strings{"a"});
  EXPECT_EQ(scene.dialect.wake_at(), std::nullopt);
}

TEST(YumeStream, JoinsDeltasForFiveMilliseconds) {
  Scene scene;
  scene.text(microseconds(0), "a");
  scene.text(microseconds(1'000), "b");
  scene.text(microseconds(4'999), "c");
  EXPECT_EQ(scene.texts(), Strings{"a"});
  EXPECT_EQ(scene.dialect.wake_at(), k_start + milliseconds(5));
  scene.dialect.on_time(k_start + microseconds(4'999));
  EXPECT_EQ(scene.texts(), Strings{}) << "too early";
  scene.dialect.on_time(k_start + milliseconds(5));
  EXPECT_EQ(scene.texts(), Strings{"bc"});
  EXPECT_EQ(scene.dialect.wake_at(), std::nullopt);
}

TEST(YumeStream, WritesADeltaAtOnceWhenTheLastLineIsOldEnough) {
  Scene scene;
  scene.text(microseconds(0), "a");
  scene.text(microseconds(5'000), "b");
  EXPECT_EQ(scene.texts(), (Strings{"a", "b"}));
  scene.text(microseconds(9'999), "c");
  EXPECT_EQ(scene.texts(), Strings{});
  EXPECT_EQ(scene.dialect.wake_at(), k_start + milliseconds(10)) << "counted from the last line";
}

TEST(YumeStream, JoinsWhatWaitedWithTheDeltaThatComesLate) {
  Scene scene;
  scene.text(microseconds(0), "a");
  scene.text(microseconds(1'000), "b");
  scene.text(microseconds(7'000), "c");
  EXPECT_EQ(scene.texts(), (Strings{"a", "bc"}));
}

TEST(YumeStream, NeverWritesTwoTextLinesWithinFiveMillisecondsOfAStream) {
  Scene scene;
  std::string sent;
  std::string received;
  platform::SteadyTime last{};
  const auto see = [&](platform::SteadyTime now) {
    const Strings texts = scene.texts();
    EXPECT_LE(texts.size(), 1U);
    for (const std::string& one : texts) {
      EXPECT_GE(now - last, milliseconds(5));
      last = now;
      received += one;
    }
  };
  for (int i = 0; i < 3000; ++i) {
    const platform::SteadyTime now = k_start + microseconds(i * 700);
    if (const auto due = scene.dialect.wake_at(); due && now >= *due) {
      scene.dialect.on_time(*due);
      see(*due);
    }
    const std::string delta = std::to_string(i) + " ";
    sent += delta;
    scene.dialect.on_event(core::TextDelta{delta}, now);
    see(now);
  }
  scene.dialect.on_time(k_start + std::chrono::hours(1));
  see(k_start + std::chrono::hours(1));
  EXPECT_EQ(received, sent);
}

TEST(YumeStream, SaysNothingOfProgressAndBackgroundCommands) {
  Scene scene;
  scene.text(microseconds(0), "a");
  scene.text(microseconds(1'000), "b");
  scene.at(microseconds(2'000), core::ToolProgress{});
  scene.at(microseconds(2'000), core::BackgroundStarted{});
  scene.at(microseconds(2'000), core::BackgroundEnded{});
  EXPECT_EQ(scene.lines(), Strings{R"({"type":"text","content":"a","id":"T"})"})
      << "nor does waiting text come out early";
}

TEST(YumeStream, WritesWaitingTextBeforeAnythingElse) {
  Scene scene;
  scene.text(microseconds(0), "a");
  scene.text(microseconds(1'000), "b");
  scene.at(microseconds(2'000), core::ToolCallReady{call("c1")});
  EXPECT_EQ(
      scene.lines(),
      (Strings{
          R"({"type":"text","content":"a","id":"T"})", R"({"type":"text","content":"b","id":"T"})",
          R"({"type":"tool_use","id":"c1","name":"Read","input":{"file_path":"x"},"uuid":"U"})"}));
}

TEST(YumeStream, AsksForTheGapBeforeALineThatMustFollowWaitingText) {
  Scene scene;
  const core::Event delta = core::TextDelta{"x"};
  const core::Event ready = core::ToolCallReady{call("c1")};
  EXPECT_EQ(scene.dialect.not_before(ready), std::nullopt) << "nothing waits";
  scene.text(microseconds(0), "a");
  EXPECT_EQ(scene.dialect.not_before(ready), std::nullopt);
  scene.text(microseconds(1'000), "b");
  EXPECT_EQ(scene.dialect.not_before(ready), k_start + milliseconds(5));
  EXPECT_EQ(scene.dialect.not_before(core::ThoughtDelta{"t"}), k_start + milliseconds(5));
  EXPECT_EQ(scene.dialect.not_before(core::TurnDone{}), k_start + milliseconds(5));
  EXPECT_EQ(scene.dialect.not_before(delta), std::nullopt) << "it can be joined";
  EXPECT_EQ(scene.dialect.not_before(core::UsageUpdated{}), std::nullopt) << "it has no line";
}

TEST(YumeStream, SlowsAFloodDownInsteadOfJoiningItWithoutEnd) {
  Scene scene;
  scene.text(microseconds(0), "a");
  scene.text(microseconds(1), std::string(500'000, 'x'));
  EXPECT_EQ(scene.dialect.not_before(core::TextDelta{"y"}), k_start + milliseconds(5));
}

TEST(YumeStream, ForgetsCallsThatATurnLeftOpen) {
  Scene scene;
  scene.at({}, core::ToolCallReady{call("a")});
  scene.at({}, core::ToolCallReady{call("b")});
  scene.at({}, core::TurnDone{});
  scene.output.take();
  scene.at({}, core::ToolCallReady{call("c")});
  ASSERT_EQ(scene.output.lines.size(), 1U);
  EXPECT_EQ(nlohmann::json::parse(scene.output.lines[0])["id"], "c");
}

TEST(YumeStream, KeepsWaitingTextWhenNothingVisibleHappens) {
  Scene scene;
  scene.text(microseconds(0), "a");
  scene.text(microseconds(1'000), "b");
  scene.at(microseconds(2'000), core::UsageUpdated{});
  scene.at(microseconds(2'000), core::MessageStarted{});
  EXPECT_EQ(scene.texts(), Strings{"a"});
}

TEST(YumeStream, OpensAndClosesThinking) {
  Scene scene;
  scene.at({}, core::ThoughtDelta{"one"});
  scene.at({}, core::UsageUpdated{});
  scene.at({}, core::ThoughtDelta{"two"});
  scene.text({}, "a");
  EXPECT_EQ(scene.lines(),
            (Strings{R"({"type":"thinking","is_thinking":true,"thought":"one","id":"T"})",
                     R"({"type":"thinking","is_thinking":true,"thought":"two","id":"T"})",
                     R"({"type":"thinking","is_thinking":false,"id":"T"})",
                     R"({"type":"text","content":"a","id":"T"})"}));
}

TEST(YumeStream, PutsEachResultRightAfterItsCall) {
  Scene scene;
  scene.at({}, core::ToolCallReady{call("a")});
  scene.at({}, core::ToolCallReady{call("b")});
  scene.at({}, core::ToolFinished{call("a"), outcome("found")});
  scene.at({}, core::PermissionRefused{call("b"), "no"});
  scene.at({}, core::ToolFinished{call("b"), outcome("no \"way\"", true)});
  EXPECT_EQ(
      scene.lines(),
      (Strings{
          R"({"type":"tool_use","id":"a","name":"Read","input":{"file_path":"x"},"uuid":"U"})",
          R"({"type":"tool_result","tool_use_id":"a","content":"found","is_error":false,"uuid":"U"})",
          R"({"type":"tool_use","id":"b","name":"Read","input":{"file_path":"x"},"uuid":"U"})",
          R"({"type":"tool_result","tool_use_id":"b","content":"no \"way\"",)"
          R"("is_error":true,"uuid":"U"})"}));
}

TEST(YumeStream, WritesRetriesAndNotices) {
  Scene scene;
  scene.at({}, session());
  scene.output.take();
  scene.at({}, core::RetryScheduled{.attempt = 2,
                                    .max_retries = 5,
                                    .delay = milliseconds(1500),
                                    .http_status = 503,
                                    .reason = "API Error: 503 overloaded"});
  scene.at({}, core::Notice{"careful"});
  EXPECT_EQ(
      scene.lines(),
      (Strings{R"({"type":"system","subtype":"api_retry","message":"API Error: 503 overloaded",)"
               R"("attempt":2,"max_retries":5,"retry_delay_ms":1500,"session_id":"S",)"
               R"("uuid":"U"})",
               R"({"type":"system","subtype":"notice","message":"careful","session_id":"S",)"
               R"("uuid":"U"})"}));
}

// The lines of a turn that ended so, without init; the result cut down to what differs.
Strings ending(core::TurnDone done) {
  Scene scene;
  scene.at({}, session());
  done.duration = milliseconds(7);
  scene.at({}, done);
  test::expect_good_lines(scene.output.lines);
  Strings lines = test::without_ids(scene.output.take());
  lines.erase(lines.begin());
  return lines;
}

constexpr std::string_view k_no_cost =
    R"("session_id":"S","model":"gemini-x","total_cost_usd":0,"modelUsage":{},)"
    R"("permission_denials":[],"files_written":[],)";

TEST(YumeStream, ReportsAFailureBeforeAnythingRanAsASystemError) {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::failed;
  done.text = "API Error: 401 bad key";
  EXPECT_EQ(
      ending(done),
      (Strings{R"({"type":"system","subtype":"error","session_id":"S",)"
               R"("message":"API Error: 401 bad key","uuid":"U"})",
               R"({"type":"result","subtype":"error_during_execution","is_error":true,)"
               R"("duration_ms":7,"duration_api_ms":0,"num_turns":1,)"
               R"("result":"API Error: 401 bad key",)" +
                   std::string(k_no_cost) + R"("errors":["API Error: 401 bad key"],"uuid":"U"})",
               R"({"type":"message_stop","uuid":"U"})"}))
      << "and no usage line: zeros would be shown as a finished compaction";
}

TEST(YumeStream, ReportsALaterFailureAsAnError) {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::failed;
  done.text = "API Error: 503";
  done.anything_ran = true;
  EXPECT_EQ(ending(done).front(), R"({"type":"error","message":"API Error: 503","uuid":"U"})");
}

TEST(YumeStream, NamesTheSessionEvenWhenNoTurnBegan) {
  Scene scene;
  core::TurnDone done;
  done.outcome = core::TurnOutcome::rejected;
  done.text = "Error: the prompt is empty";
  done.num_turns = 0;
  done.duration = milliseconds(1);
  scene.at({}, done);
  EXPECT_EQ(
      scene.lines(),
      (Strings{R"({"type":"system","subtype":"error","session_id":"S0",)"
               R"("message":"Error: the prompt is empty","uuid":"U"})",
               R"({"type":"result","subtype":"error_during_execution","is_error":true,)"
               R"("duration_ms":1,"duration_api_ms":0,"num_turns":0,)"
               R"("result":"Error: the prompt is empty","session_id":"S0",)"
               R"("total_cost_usd":0,"modelUsage":{},"permission_denials":[],"files_written":[],)"
               R"("errors":["Error: the prompt is empty"],"uuid":"U"})",
               R"({"type":"message_stop","uuid":"U"})"}));
}

TEST(YumeStream, ReportsAnInterrupt) {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::interrupted;
  done.num_turns = 2;
  EXPECT_EQ(
      ending(done),
      (Strings{R"({"type":"interrupt","session_id":"S","uuid":"U"})",
               R"({"type":"result","subtype":"error_during_execution","is_error":true,)"
               R"("duration_ms":7,"duration_api_ms":0,"num_turns":2,)"
               R"("result":"Interrupted by the user",)" +
                   std::string(k_no_cost) + R"("errors":["Interrupted by the user"],"uuid":"U"})",
               R"({"type":"message_stop","uuid":"U"})"}));
}

TEST(YumeStream, ReportsMaxTurnsWithItsTextInTheResult) {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::max_turns;
  done.text = "Reached maximum number of turns: 2";  // Yume shows errors that say so
  EXPECT_EQ(ending(done),
            (Strings{R"({"type":"result","subtype":"error_max_turns","is_error":true,)"
                     R"("duration_ms":7,"duration_api_ms":0,"num_turns":1,)"
                     R"("result":"Error: Reached maximum number of turns: 2",)" +
                         std::string(k_no_cost) +
                         R"("errors":["Error: Reached maximum number of turns: 2"],"uuid":"U"})",
                     R"({"type":"message_stop","uuid":"U"})"}));
}

TEST(YumeStream, ListsDenials) {
  core::TurnDone done = success();
  done.denials.push_back({.id = "w1", .name = "Write", .input = {R"({"file_path":"x"})"}});
  const auto result = nlohmann::json::parse(ending(done)[1]);
  EXPECT_EQ(result["permission_denials"].dump(),
            R"([{"tool_input":{"file_path":"x"},"tool_name":"Write","tool_use_id":"w1"}])");
}

TEST(YumeStream, SplitsHugeTextAndLosesNothing) {
  Scene scene;
  std::string text;
  while (text.size() < 1'000'000) text += "\xF0\x9F\x98\x80 \x01\"\\ plain text ";
  scene.text({}, text);
  scene.at({}, core::ThoughtDelta{text});
  std::string shown;
  std::string thought;
  test::expect_good_lines(scene.output.lines);
  for (const std::string& line : scene.output.lines) {
    const auto json = nlohmann::json::parse(line);
    shown += json.value("content", "");
    thought += json.value("thought", "");
  }
  EXPECT_EQ(shown, text);
  EXPECT_EQ(thought, text);
  EXPECT_TRUE(scene.overflow.kept.empty());
}

TEST(YumeStream, CutsAHugeResultAndKeepsItWholeInAFile) {
  Scene scene;
  const std::string content(300'000, '\x7F');  // six bytes each once escaped
  scene.at({}, core::ToolCallReady{call("c1")});
  scene.at({}, core::ToolFinished{call("c1"), outcome(content)});
  test::expect_good_lines(scene.output.lines);
  const std::string shown = nlohmann::json::parse(scene.output.lines.back())["content"];
  EXPECT_TRUE(content.starts_with(shown.substr(0, shown.find('\n'))));
  EXPECT_TRUE(shown.ends_with("; the whole text is in /kept/c1.txt]"))
      << shown.substr(shown.size() - 99);
  EXPECT_EQ(scene.overflow.kept["c1"], content);
}

TEST(YumeStream, CutsAHugeFinalTextAndError) {
  for (const auto how : {core::TurnOutcome::success, core::TurnOutcome::failed}) {
    core::TurnDone done = success();
    done.outcome = how;
    done.text = std::string(1'000'000, '\x01');
    test::expect_good_lines(ending(done));
  }
}

// Inputs that no single rule of thumb makes small enough.
Strings huge_inputs() {
  std::string many = "{";
  for (int i = 0; i < 60; ++i) {
    many +=
        (i == 0 ? "\"k" : ",\"k") + std::to_string(i) + "\":\"" + std::string(99'000, 'x') + "\"";
  }
  std::string accents;
  for (int i = 0; i < 60'000; ++i) accents += "\xC3\xA9";
  std::string numbers = "{\"list\":[1";
  for (int i = 0; i < 600'000; ++i) numbers += ",1";
  std::string keys = "{\"a\":0";
  for (int i = 0; i < 100'000; ++i) keys += ",\"key number " + std::to_string(i) + "\":0";
  return {R"({"content":")" + std::string(1'200'000, 'x') + R"("})", many + "}",
          "{\"a\":\"" + accents + "\",\"b\":\"" + accents + "\",\"c\":\"" + accents +
              "\",\"d\":\"" + accents + "\"}",
          numbers + "]}", keys + "}"};
}

TEST(YumeStream, ShortensHugeInputs) {
  for (const std::string& input : huge_inputs()) {
    Scene scene;
    scene.at({}, core::ToolCallReady{call("c1", input)});
    ASSERT_EQ(scene.output.lines.size(), 1U);
    test::expect_good_lines(scene.output.lines);
    EXPECT_TRUE(nlohmann::json::parse(scene.output.lines[0])["input"].is_object());
  }
}

TEST(YumeStream, ShortensManyHugeDenials) {
  core::TurnDone done = success();
  for (int i = 0; i < 300; ++i) {
    done.denials.push_back({.id = "w" + std::to_string(i),
                            .name = "Write",
                            .input = {R"({"content":")" + std::string(20'000, 'x') + R"("})"}});
  }
  const Strings lines = ending(done);
  test::expect_good_lines(lines);
  const auto denials = nlohmann::json::parse(lines[1])["permission_denials"];
  EXPECT_EQ(denials.size(), 300U) << "every denial is named";
  EXPECT_EQ(denials[299]["tool_use_id"], "w299");
}

TEST(YumeStream, ShortensHugeReasons) {
  Scene scene;
  const std::string huge(300'000, '\x7F');
  scene.at({}, core::RetryScheduled{.reason = huge});
  scene.at({}, core::Notice{huge});
  test::expect_good_lines(scene.output.lines);
}

}  // namespace
}  // namespace yume::protocol
