// SPDX-License-Identifier: MIT
#include "agent/model_client.h"

#include "support/fake_clock.h"
#include "support/recording_sink.h"
#include "support/scripted_transport.h"
#include "support/test_access.h"

#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <thread>
#include <vector>

namespace yume::agent {
namespace {

using std::chrono::milliseconds;
using Strings = std::vector<std::string>;
using Sleeps = std::vector<milliseconds>;
using test::error_answer;
using test::finish_event;
using test::stream;
using test::text_event;

constexpr std::string_view k_overloaded =
    R"({"error":{"code":503,"message":"overloaded","status":"UNAVAILABLE"}})";
const std::string k_go_on =
    "Your last reply was cut off by a connection fault. Go on exactly where it stopped; do not "
    "repeat anything of it.";

gemini::ModelInfo test_model() {
  gemini::ModelInfo model;
  model.id = "m";
  return model;
}

// One question against a script.
struct Scene {
  explicit Scene(std::vector<test::Answer> answers, int max_retries = 5)
      : transport(std::move(answers)), max_retries_(max_retries) {
    history.add_user_text("q");
  }

  AskResult ask() {
    test::TestAccess access(clock);
    ModelClient client(access, transport, clock, RetryPolicy(max_retries_, [] { return 0.0; }),
                       null_log());
    return client.ask(encoder, history, sink, cancel.get_token());
  }

  std::string history_text() const {
    std::string text;
    for (const std::string_view segment : history.segments()) text += segment;
    return text;
  }

  test::ScriptedTransport transport;
  test::FakeClock clock;
  test::RecordingSink sink;
  CancelSource cancel;
  gemini::History history;
  gemini::RequestEncoder encoder{test_model(), {}};

 private:
  int max_retries_;
};

test::Answer cut(const Strings& events) {
  test::Answer answer = stream(events);
  answer.ends_with = Error{.code = ErrorCode::network, .message = "connection reset"};
  return answer;
}

const std::string k_question = R"([{"role":"user","parts":[{"text":"q"}]}])";
const std::string k_cut = "API Error: the connection broke before the reply was complete";

TEST(ModelClient, SaysThatADeadlinePassedAndNotThatTheConnectionBroke) {
  test::Answer silent = stream({text_event("one ")});
  silent.ends_with = Error{.code = ErrorCode::timeout, .message = "server sent nothing for 120 s"};
  Scene scene({silent, silent});
  const AskResult result = scene.ask();
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_EQ(result.failure->error.message,
            "API Error: server sent nothing for 120 s; the reply is not complete");
  EXPECT_EQ(scene.transport.bodies.size(), 2U) << "repeated once, as any cut";
}

TEST(ModelClient, AnswersAtTheFirstTry) {
  Scene scene({stream({text_event("hi"), finish_event()})});
  const AskResult result = scene.ask();
  EXPECT_FALSE(result.failure.has_value());
  EXPECT_FALSE(result.cancelled);
  EXPECT_EQ(result.reply.parts, Strings{R"({"text":"hi"})"});
  EXPECT_EQ(scene.sink.events(), (Strings{"message msg_ m", "text hi"}));
  EXPECT_EQ(scene.clock.sleeps(), Sleeps{});
  EXPECT_EQ(scene.history_text(), k_question) << "the caller adds the reply";
  EXPECT_EQ(scene.transport.urls,
            Strings{"http://server/v1beta/models/m:streamGenerateContent?alt=sse"});
}

TEST(ModelClient, RetriesWithGrowingDelaysAndTheSameBody) {
  const auto failing = error_answer(503, std::string(k_overloaded));
  Scene scene({failing, failing, failing, stream({text_event("hi"), finish_event()})});
  const AskResult result = scene.ask();
  EXPECT_FALSE(result.failure.has_value());
  EXPECT_EQ(scene.clock.sleeps(),
            (Sleeps{milliseconds(500), milliseconds(1000), milliseconds(2000)}));
  EXPECT_EQ(scene.sink.events(),
            (Strings{"retry 1/5 in 500 ms, http 503, kind server_error: API Error: 503 overloaded",
                     "retry 2/5 in 1000 ms, http 503, kind server_error: API Error: 503 overloaded",
                     "retry 3/5 in 2000 ms, http 503, kind server_error: API Error: 503 overloaded",
                     "message msg_ m", "text hi"}));
  ASSERT_EQ(scene.transport.bodies.size(), 4U);
  for (const std::string& body : scene.transport.bodies) {
    EXPECT_EQ(body, scene.transport.bodies.front()) << "no duplicate user message";
  }
}

TEST(ModelClient, GivesUpWhenTheRetriesAreUsedUp) {
  Scene scene(std::vector<test::Answer>(9, error_answer(503, std::string(k_overloaded))), 2);
  const AskResult result = scene.ask();
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_EQ(result.failure->error.message, "API Error: 503 overloaded");
  EXPECT_EQ(scene.transport.bodies.size(), 3U);
  EXPECT_EQ(scene.clock.sleeps(), (Sleeps{milliseconds(500), milliseconds(1000)}));
  EXPECT_TRUE(result.reply.parts.empty());
  EXPECT_EQ(scene.history_text(), k_question);
}

TEST(ModelClient, WaitsAsLongAsTheServerSays) {
  Scene scene({error_answer(429, R"({"error":{"code":429,"message":"slow","details":[{"@type":)"
                                 R"("type.googleapis.com/google.rpc.RetryInfo",)"
                                 R"("retryDelay":"34.4s"}]}})"),
               stream({text_event("hi"), finish_event()})});
  EXPECT_FALSE(scene.ask().failure.has_value());
  EXPECT_EQ(scene.clock.sleeps(), Sleeps{milliseconds(34'400)});
}

TEST(ModelClient, NeverRetriesWhatCannotGetBetter) {
  for (const int status : {400, 401, 403, 404}) {
    Scene scene({error_answer(status, R"({"error":{"message":"no"}})")});
    const AskResult result = scene.ask();
    ASSERT_TRUE(result.failure.has_value()) << status;
    EXPECT_EQ(result.failure->error.http_status, status);
    EXPECT_EQ(scene.transport.bodies.size(), 1U) << status;
    EXPECT_EQ(scene.sink.events(), Strings{}) << status;
  }
  Scene tls({test::no_connection({.code = ErrorCode::tls, .message = "bad certificate"})});
  EXPECT_EQ(tls.ask().failure->error.message, "API Error: bad certificate");
  EXPECT_EQ(tls.transport.bodies.size(), 1U);
}

TEST(ModelClient, RetriesAConnectionThatFailed) {
  Scene scene({test::no_connection({.code = ErrorCode::network, .message = "cannot reach server"}),
               test::no_connection({.code = ErrorCode::timeout, .message = "no answer"}),
               stream({text_event("hi"), finish_event()})});
  EXPECT_FALSE(scene.ask().failure.has_value());
  EXPECT_EQ(
      scene.sink.events(),
      (Strings{"retry 1/5 in 500 ms, http 0, kind server_error: API Error: cannot reach server",
               "retry 2/5 in 1000 ms, http 0, kind server_error: API Error: no answer",
               "message msg_ m", "text hi"}));
}

TEST(ModelClient, RepeatsAStreamThatBrokeBeforeAnyTextWithoutATrace) {
  Scene scene(
      {cut({test::call_event("Write", R"({"a":1})")}), stream({text_event("hi"), finish_event()})});
  const AskResult result = scene.ask();
  EXPECT_FALSE(result.failure.has_value());
  EXPECT_TRUE(result.reply.calls.empty()) << "a call of a broken stream never runs";
  EXPECT_EQ(result.reply.parts, Strings{R"({"text":"hi"})"});
  EXPECT_EQ(scene.transport.bodies[0], scene.transport.bodies[1]);
  EXPECT_EQ(scene.history_text(), k_question);
}

TEST(ModelClient, GoesOnAfterACutWithTheShownTextInTheHistory) {
  Scene scene({cut({text_event("Half a "), test::call_event("Write", "{}")}),
               stream({text_event("sentence."), finish_event()})});
  const AskResult result = scene.ask();
  EXPECT_FALSE(result.failure.has_value());
  EXPECT_EQ(
      scene.sink.events(),
      (Strings{"message msg_ m", "text Half a ",
               "retry 1/5 in 500 ms, http 0, kind server_error: " + k_cut, "text sentence."}));
  const std::string continued = R"([{"role":"user","parts":[{"text":"q"}]},)"
                                R"({"role":"model","parts":[{"text":"Half a "}]},)"
                                R"({"role":"user","parts":[{"text":")" +
                                k_go_on + R"("}]}])";
  EXPECT_EQ(scene.history_text(), continued);
  ASSERT_EQ(scene.transport.bodies.size(), 2U);
  EXPECT_NE(scene.transport.bodies[1].find(continued), std::string::npos);
  EXPECT_EQ(result.reply.parts, Strings{R"({"text":"sentence."})"});
  EXPECT_EQ(result.reply.last_text, "Half a sentence.");
  EXPECT_TRUE(result.reply.calls.empty());
}

TEST(ModelClient, FailsAtTheSecondCut) {
  Scene scene({cut({text_event("a")}), cut({text_event("b")}), stream({text_event("never")})});
  const AskResult result = scene.ask();
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_EQ(result.failure->error.message, k_cut);
  EXPECT_EQ(scene.transport.bodies.size(), 2U);
  EXPECT_EQ(result.reply.parts, Strings{R"({"text":"b"})"}) << "the host has seen it";
}

TEST(ModelClient, TakesAnEndWithoutAFinishReasonForACut) {
  Scene scene({stream({text_event("a")}), stream({text_event("b"), finish_event()})});
  EXPECT_FALSE(scene.ask().failure.has_value());
  EXPECT_EQ(scene.transport.bodies.size(), 2U);
}

TEST(ModelClient, TakesAnErrorAfterTextForACut) {
  Scene scene({stream({text_event("a"), std::string(k_overloaded)}),
               stream({text_event("b"), std::string(k_overloaded)}),
               stream({text_event("never"), finish_event()})});
  const AskResult result = scene.ask();
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_EQ(result.failure->error.message, "API Error: 503 overloaded");
  EXPECT_EQ(scene.transport.bodies.size(), 2U);
}

TEST(ModelClient, IgnoresAConnectionThatBreaksAfterTheFinish) {
  Scene scene({cut({text_event("a"), finish_event()})});
  const AskResult result = scene.ask();
  EXPECT_FALSE(result.failure.has_value());
  EXPECT_EQ(scene.transport.bodies.size(), 1U);
  EXPECT_EQ(result.reply.parts, Strings{R"({"text":"a"})"});
}

TEST(ModelClient, AsksAgainTwiceForACallThatCannotBeRead) {
  const auto malformed =
      stream({R"json({"candidates":[{"finishReason":"MALFORMED_FUNCTION_CALL",)json"
              R"json("finishMessage":"print(x)"}]})json"});
  Scene good({malformed, malformed, stream({text_event("hi"), finish_event()})});
  EXPECT_FALSE(good.ask().failure.has_value());
  EXPECT_EQ(good.clock.sleeps(), (Sleeps{milliseconds(0), milliseconds(0)}));
  EXPECT_EQ(good.history_text(), k_question) << "nothing of it is kept";

  Scene bad(std::vector<test::Answer>(9, malformed));
  const AskResult result = bad.ask();
  ASSERT_TRUE(result.failure.has_value());
  EXPECT_EQ(result.failure->error.message,
            "API Error: the model failed to produce a readable tool call "
            "(MALFORMED_FUNCTION_CALL): print(x)");
  EXPECT_EQ(bad.transport.bodies.size(), 3U);
}

TEST(ModelClient, TakesABlockedPromptForAnAnswer) {
  Scene scene({stream({R"({"promptFeedback":{"blockReason":"SAFETY"}})"})});
  const AskResult result = scene.ask();
  EXPECT_FALSE(result.failure.has_value());
  EXPECT_EQ(result.reply.prompt_blocked, "SAFETY");
  EXPECT_EQ(scene.transport.bodies.size(), 1U);
}

TEST(ModelClient, StopsInTheMiddleOfAStreamWhenCancelled) {
  Scene scene({});
  test::Answer answer = stream({text_event("half"), test::call_event("Write", "{}")});
  answer.before_end = [&scene] { scene.cancel.request_stop(); };
  scene.transport = test::ScriptedTransport({answer});
  const AskResult result = scene.ask();
  EXPECT_TRUE(result.cancelled);
  EXPECT_FALSE(result.failure.has_value());
  EXPECT_EQ(result.reply.parts, Strings{R"({"text":"half"})"});
  EXPECT_TRUE(result.reply.calls.empty());
  EXPECT_EQ(scene.clock.sleeps(), Sleeps{});
}

TEST(ModelClient, StopsDuringAWaitWhenCancelled) {
  test::ScriptedTransport transport({error_answer(503, std::string(k_overloaded))});
  const test::FakeClock clock(test::SleepMode::hold);
  test::RecordingSink sink;
  CancelSource cancel;
  gemini::History history;
  history.add_user_text("q");
  const gemini::RequestEncoder encoder(test_model(), {});
  test::TestAccess access(clock);
  ModelClient client(access, transport, clock, RetryPolicy(5, [] { return 0.0; }), null_log());
  AskResult result;
  std::thread turn([&] { result = client.ask(encoder, history, sink, cancel.get_token()); });
  clock.wait_for_sleepers(1);
  cancel.request_stop();
  turn.join();
  EXPECT_TRUE(result.cancelled);
  EXPECT_FALSE(result.failure.has_value());
  EXPECT_EQ(transport.bodies.size(), 1U);
}

TEST(ModelClient, StopsWhenTheHostIsGone) {
  test::ScriptedTransport transport({stream({text_event("a"), finish_event()})});
  const test::FakeClock clock;
  test::RecordingSink gone(0);
  gemini::History history;
  history.add_user_text("q");
  const gemini::RequestEncoder encoder(test_model(), {});
  test::TestAccess access(clock);
  ModelClient client(access, transport, clock, RetryPolicy(5, [] { return 0.0; }), null_log());
  const AskResult result = client.ask(encoder, history, gone, CancelToken());
  EXPECT_TRUE(result.cancelled);
  EXPECT_EQ(transport.bodies.size(), 1U);
  EXPECT_EQ(clock.sleeps(), Sleeps{});
}

TEST(ModelClient, AddsUpTheUsageOfAllAttempts) {
  const auto usage = [](int prompt, int output) {
    return R"({"usageMetadata":{"promptTokenCount":)" + std::to_string(prompt) +
           R"(,"candidatesTokenCount":)" + std::to_string(output) + "}}";
  };
  Scene scene({stream({usage(10, 2), text_event("a")}),
               stream({usage(14, 3), text_event("b"), finish_event()})});
  const AskResult result = scene.ask();
  EXPECT_EQ(result.reply.billed,
            (std::vector<core::Usage>{{.prompt_tokens = 10, .output_tokens = 2},
                                      {.prompt_tokens = 14, .output_tokens = 3}}));
  EXPECT_EQ(result.reply.usage, (core::Usage{.prompt_tokens = 14, .output_tokens = 3}));
}

TEST(ModelClient, WaitsForASilentServerOnceMoreOnly) {
  const auto silent = test::no_connection({.code = ErrorCode::timeout, .message = "no answer"});
  Scene scene({silent, silent, silent});
  EXPECT_TRUE(scene.ask().failure.has_value());
  EXPECT_EQ(scene.transport.bodies.size(), 2U);
}

TEST(ModelClient, LooksANameUpFourTimesAtMost) {
  const auto unknown = test::no_connection({.code = ErrorCode::not_found, .message = "no host"});
  Scene scene(std::vector<test::Answer>(9, unknown));
  EXPECT_TRUE(scene.ask().failure.has_value());
  EXPECT_EQ(scene.transport.bodies.size(), 4U);
}

test::Answer refusal(const std::string& message) {
  return error_answer(400, R"({"error":{"code":400,"message":")" + message + R"("}})");
}

TEST(ModelClient, AsksAgainWithoutWhatTheServerRefused) {
  Scene scene({refusal("Thinking level HIGH is not supported for this model."),
               refusal("Invalid JSON payload received. Unknown name 'safetySettings'"),
               stream({text_event("hi"), finish_event()}),
               stream({text_event("again"), finish_event()})});
  test::TestAccess access(scene.clock);
  ModelClient client(access, scene.transport, scene.clock, RetryPolicy(5, [] { return 0.0; }),
                     null_log());
  EXPECT_FALSE(client.ask(scene.encoder, scene.history, scene.sink, {}).failure.has_value());
  EXPECT_EQ(scene.sink.events(), (Strings{"message msg_ m", "text hi"})) << "no waits";
  const auto has = [&scene](std::size_t request, const char* field) {
    return scene.transport.bodies[request].find(field) != std::string::npos;
  };
  EXPECT_TRUE(has(0, "thinkingConfig") && has(0, "safetySettings"));
  EXPECT_TRUE(!has(1, "thinkingConfig") && has(1, "safetySettings"));
  EXPECT_TRUE(!has(2, "thinkingConfig") && !has(2, "safetySettings"));
  EXPECT_FALSE(client.ask(scene.encoder, scene.history, scene.sink, {}).failure.has_value());
  EXPECT_TRUE(!has(3, "thinkingConfig") && !has(3, "safetySettings")) << "it has learned";
}

TEST(ModelClient, TriesEachCureOnce) {
  Scene scene(std::vector<test::Answer>(5, refusal("Corrupted thought signature.")));
  scene.history.add_model_parts(
      {R"({"functionCall":{"name":"f","args":{}},"thoughtSignature":"c2ln"})"});
  scene.history.add_function_responses({{.call_id = {}, .name = "f", .text = "ok"}});
  const AskResult result = scene.ask();
  EXPECT_EQ(result.failure->error.message, "API Error: 400 Corrupted thought signature.");
  ASSERT_EQ(scene.transport.bodies.size(), 2U);
  EXPECT_NE(scene.transport.bodies[0].find("\"c2ln\""), std::string::npos);
  EXPECT_NE(scene.transport.bodies[1].find("\"skip_thought_signature_validator\""),
            std::string::npos);
}

TEST(ModelClient, RepairsSignaturesThatTheModelMissed) {
  Scene scene({stream({finish_event("MISSING_THOUGHT_SIGNATURE")}),
               stream({text_event("hi"), finish_event()})});
  EXPECT_FALSE(scene.ask().failure.has_value());
  EXPECT_EQ(scene.transport.bodies.size(), 2U);
}

TEST(ModelClient, HoldsTheModelToTheSchemaAtTheSecondReAsk) {
  Scene scene({stream({finish_event("MALFORMED_FUNCTION_CALL")}),
               stream({finish_event("UNEXPECTED_TOOL_CALL")}),
               stream({text_event("hi"), finish_event()})});
  scene.encoder = gemini::RequestEncoder(
      test_model(), {.functions = {{.name = "f", .description = "d", .parameters = {"{}"}}}});
  EXPECT_FALSE(scene.ask().failure.has_value());
  ASSERT_EQ(scene.transport.bodies.size(), 3U);
  EXPECT_NE(scene.transport.bodies[1].find(R"("mode":"AUTO")"), std::string::npos);
  EXPECT_NE(scene.transport.bodies[2].find(R"("mode":"VALIDATED")"), std::string::npos);
}

std::string hop(const std::string& text, const std::string& token, int prompt, int output) {
  return R"({"candidates":[{"content":{"parts":[{"text":")" + text +
         R"("}]},"finishReason":"CONTINUATION","continuationToken":")" + token +
         R"("}],"usageMetadata":{"promptTokenCount":)" + std::to_string(prompt) +
         R"(,"candidatesTokenCount":)" + std::to_string(output) + "}}";
}

TEST(ModelClient, ContinuesALongReplyHopByHop) {
  Scene scene({stream({hop("one ", "dA==", 10, 5)}), stream({hop("two ", "dB==", 15, 5)}),
               stream({R"({"usageMetadata":{"promptTokenCount":20,"candidatesTokenCount":2}})",
                       text_event("three"), finish_event()})});
  const AskResult result = scene.ask();
  EXPECT_FALSE(result.failure.has_value());
  EXPECT_EQ(result.reply.last_text, "one two three");
  EXPECT_EQ(result.reply.parts, Strings{R"({"text":"one two three"})"});
  ASSERT_EQ(scene.transport.bodies.size(), 3U);
  EXPECT_EQ(scene.transport.bodies[0].find("continuationToken"), std::string::npos);
  EXPECT_NE(scene.transport.bodies[1].find(R"("continuationToken":"dA==")"), std::string::npos);
  EXPECT_NE(scene.transport.bodies[2].find(R"("continuationToken":"dB==")"), std::string::npos);
  EXPECT_EQ(result.reply.usage, (core::Usage{.prompt_tokens = 10, .output_tokens = 12}));
  EXPECT_EQ(result.reply.billed.size(), 3U);
}

TEST(ModelClient, EndsALongReplyThatMakesNoProgress) {
  Scene scene(std::vector<test::Answer>(20, stream({hop("", "dA==", 10, 0)})));
  EXPECT_FALSE(scene.ask().failure.has_value());
  EXPECT_LT(scene.transport.bodies.size(), 8U);
}

TEST(ModelClient, TellsOnceThatAModelIsOnItsWayOut) {
  const auto answer = stream({R"({"modelStatus":{"modelStage":"DEPRECATED","message":"use n"}})",
                              text_event("hi"), finish_event()});
  Scene scene({answer, answer});
  test::TestAccess access(scene.clock);
  ModelClient client(access, scene.transport, scene.clock, RetryPolicy(5, [] { return 0.0; }),
                     null_log());
  client.ask(scene.encoder, scene.history, scene.sink, {});
  client.ask(scene.encoder, scene.history, scene.sink, {});
  EXPECT_EQ(scene.sink.events(), (Strings{"message msg_ m", "text hi",
                                          "notice m: the model is marked as DEPRECATED: use n",
                                          "message msg_ m", "text hi"}));
}

TEST(ModelClient, GivesTheSameIdsToARepeatedReply) {
  Scene scene({cut({test::call_event("Write", "{}"), test::call_event("Write", "{}")}),
               stream({test::call_event("Write", "{}"), finish_event()})});
  const AskResult result = scene.ask();
  ASSERT_EQ(result.reply.calls.size(), 1U);
  EXPECT_EQ(result.reply.calls[0].id, "call_gemini_1");
}

std::string call_hop(const std::string& token) {
  return R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"f","args":{}},)"
         R"("thoughtSignature":"c2ln"}]},"finishReason":"CONTINUATION","continuationToken":")" +
         token + R"("}]})";
}

TEST(ModelClient, KeepsFinishedHopsOverAFaultBeforeTheNext) {
  Scene scene({stream({call_hop("dA==")}), error_answer(503, std::string(k_overloaded)),
               stream({text_event("rest"), finish_event()})});
  const AskResult result = scene.ask();
  ASSERT_EQ(result.reply.calls.size(), 1U);
  EXPECT_EQ(result.reply.parts.size(), 2U);
  EXPECT_NE(scene.transport.bodies[2].find(R"("continuationToken":"dA==")"), std::string::npos);
}

TEST(ModelClient, BeginsALongReplyAnewWhenAHopBreaks) {
  Scene scene({stream({call_hop("dA==")}), cut({test::call_event("g", "{}")}),
               stream({text_event("whole"), finish_event()})});
  const AskResult result = scene.ask();
  EXPECT_TRUE(result.reply.calls.empty());
  EXPECT_EQ(result.reply.last_text, "whole");
  EXPECT_EQ(scene.transport.bodies[2], scene.transport.bodies[0]) << "without the token";
}

TEST(ModelClient, WaitsForACallThatGoesOnInTheNextHop) {
  const auto piece = [](const std::string& call, const std::string& end) {
    return R"({"candidates":[{"content":{"parts":[{"functionCall":)" + call + "}]}" + end + "}]}";
  };
  Scene scene({stream({piece(R"({"name":"f","willContinue":true})", ""),
                       piece(R"({"partialArgs":[{"jsonPath":"$.a","stringValue":"x",)"
                             R"("willContinue":true}],"willContinue":true})",
                             R"(,"finishReason":"CONTINUATION","continuationToken":"dA==")")}),
               stream({piece(R"({"partialArgs":[{"jsonPath":"$.a","stringValue":"y"}]})",
                             R"(,"finishReason":"STOP")")})});
  const AskResult result = scene.ask();
  ASSERT_EQ(result.reply.calls.size(), 1U);
  EXPECT_EQ(result.reply.calls[0].input.given.text, R"({"a":"xy"})");
}

TEST(ModelClient, NeverCountsBelowZeroOverHops) {
  Scene scene(
      {stream({hop("one ", "dA==", 1000, 50)}), stream({text_event("two"), finish_event()})});
  const AskResult result = scene.ask();
  EXPECT_EQ(result.reply.usage, (core::Usage{.prompt_tokens = 1000, .output_tokens = 50}));
}

TEST(ModelClient, EndsHopsThatBringNothingHoweverTheTokensChange) {
  std::vector<test::Answer> answers;
  for (int i = 0; i < 100; ++i) {
    answers.push_back(stream({hop("", "t" + std::to_string(i), 10, 0)}));
  }
  Scene scene(std::move(answers));
  EXPECT_FALSE(scene.ask().failure.has_value());
  EXPECT_LT(scene.transport.bodies.size(), 6U);
}

TEST(ModelClient, AsksForTheCallAgainAfterTextWithoutBlamingTheNetwork) {
  Scene scene({stream({text_event("I will call."), finish_event("MALFORMED_FUNCTION_CALL")}),
               stream({finish_event("MALFORMED_FUNCTION_CALL")}),
               stream({text_event("hi"), finish_event()})},
              /*max_retries=*/0);
  EXPECT_FALSE(scene.ask().failure.has_value());
  EXPECT_NE(scene.history_text().find("ended in a tool call that could not be read"),
            std::string::npos);
  EXPECT_EQ(scene.history_text().find("connection fault"), std::string::npos);
}

TEST(ModelClient, RepeatsACutStreamWhateverTheNumberOfRetries) {
  Scene scene({cut({}), stream({text_event("hi"), finish_event()})}, /*max_retries=*/0);
  EXPECT_FALSE(scene.ask().failure.has_value());
}

}  // namespace
}  // namespace yume::agent
