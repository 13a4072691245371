// SPDX-License-Identifier: MIT
#include "agent/agent_loop.h"

#include "support/event_text.h"
#include "support/fake_clock.h"
#include "support/fake_tools.h"
#include "support/no_hooks.h"
#include "support/recording_port.h"
#include "support/sample_media.h"
#include "support/scripted_transport.h"
#include "support/test_access.h"
#include "support/tool_world.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace yume::agent {
namespace {

using Strings = std::vector<std::string>;
using test::call_event;
using test::finish_event;
using test::stream;
using test::text_event;
using tools::Effect;

std::string usage_event(int prompt, int output) {
  return R"({"usageMetadata":{"promptTokenCount":)" + std::to_string(prompt) +
         R"(,"candidatesTokenCount":)" + std::to_string(output) + "}}";
}

const std::string k_cut_reply =
    "<system-reminder>The user interrupted the turn before this one: your last reply ends where it "
    "was cut off. Go on with it only as far as the user asks for that now.</system-reminder>";

// What hooks say at the end of a turn, one after the other.
class AdvisingHooks final : public test::NoHooks {
 public:
  std::optional<std::string> before_end(const core::FinishedAnswer& answer, core::EventSink&,
                                        const CancelToken&) override {
    asked.push_back(std::string(answer.text) + (answer.was_sent_on ? " again" : ""));
    if (reasons.empty()) return std::nullopt;
    std::string reason = reasons.front();
    if (!for_ever) reasons.clear();
    return reason;
  }
  core::ResultAdvice after_call(const core::RanCall& ran, core::EventSink&,
                                const CancelToken&) override {
    asked.push_back("ran " + ran.call.name);
    return {.ends_turn = ends_turn};
  }

  Strings reasons;
  bool for_ever = true;
  Strings asked;
  bool ends_turn = false;
};

// A whole loop over a script, with one reading and one changing tool.
struct Scene {
  explicit Scene(std::vector<test::Answer> answers, int max_turns = 0,
                 bool own_output_limit = false)
      : transport(std::move(answers)),
        registry(tools_of(*this)),
        access(world.clock),
        client(access, transport, world.clock, RetryPolicy(1, [] { return 0.0; }), null_log()),
        runner(registry, policy, redactor, hooks),
        encoder(model(), {}),
        compactor(client, encoder.model(), {}, hooks),
        keeper(compactor, encoder, {}),
        loop(client, runner, encoder, keeper, hooks,
             {.max_turns = max_turns, .own_output_limit = own_output_limit}, world.clock) {}

  static gemini::ModelInfo model() {
    gemini::ModelInfo info;
    info.id = "m";
    info.replacement = "n";
    return info;
  }

  static tools::Registry tools_of(Scene& scene) {
    std::vector<std::unique_ptr<tools::Tool>> tools;
    tools.push_back(std::make_unique<test::FakeTool>("Look", Effect::reads_only, scene.journal));
    tools.push_back(std::make_unique<test::FakeTool>(
        "Picture", Effect::reads_only, scene.journal,
        [](const std::string& n, const tools::ToolContext&) {
          core::ToolOutcome outcome{.content = "Picture " + n, .details = {}};
          outcome.media.push_back(test::small_png());
          if (n == "broken") outcome.media.back().base64 = "aGk=";
          return outcome;
        }));
    tools.push_back(std::make_unique<test::FakeTool>(
        "Stop", Effect::changes_things, scene.journal,
        [&scene](const std::string&, const tools::ToolContext&) {
          scene.world.cancel.request_stop();
          return core::ToolOutcome{.is_error = true, .content = "stopped", .details = {}};
        }));
    return tools::Registry(std::move(tools));
  }

  std::string run(const std::string& prompt = "go") { return run(core::UserMessage(prompt)); }
  std::string run(const core::UserMessage& message) {
    return test::text_of(
        loop.run({.message = message, .news = world.shell.background().take_end_reports()},
                 world.context(), sink));
  }

  std::string last_contents() const {
    const std::string& body = transport.bodies.back();
    const std::size_t begin = body.find("\"contents\":") + 11;
    return body.substr(begin, body.find(",\"generationConfig\"") - begin);
  }

  test::ToolWorld world;
  test::ToolJournal journal;
  test::FakePolicy policy;
  test::RecordingPort sink;
  test::ScriptedTransport transport;
  tools::Registry registry;
  test::TestAccess access;
  ModelClient client;
  Redactor redactor;
  AdvisingHooks hooks;
  ToolRunner runner;
  gemini::RequestEncoder encoder;
  Compactor compactor;
  ContextKeeper keeper;
  AgentLoop loop;
};

TEST(AgentLoop, AnswersAPlainQuestion) {
  Scene scene({stream({usage_event(7, 1), text_event("hi"), usage_event(7, 3), finish_event()})});
  EXPECT_EQ(scene.run(),
            "turn success \"hi\" stop=end_turn turns=1 last=7/0/3/0 total=7/0/3/0 ran m=7/0/3/0");
  EXPECT_EQ(scene.sink.events(),
            (Strings{"usage 7/0/1/0", "message msg_ m", "text hi", "done end_turn 7/0/3/0"}));
}

TEST(AgentLoop, RunsToolsUntilTheModelStops) {
  Scene scene(
      {stream({usage_event(10, 1), text_event("Looking."), call_event("Look", R"({"n":"1"})", "a"),
               call_event("Look", R"({"n":"2"})", "b"), finish_event()}),
       stream({usage_event(20, 2), call_event("Look", R"({"n":"3"})"), finish_event()}),
       stream({usage_event(30, 3), text_event("Done."), finish_event()})});
  EXPECT_EQ(scene.run(),
            "turn success \"Done.\" stop=end_turn turns=4 last=30/0/3/0 total=60/0/6/0 ran "
            "m=60/0/6/0");
  EXPECT_EQ(scene.sink.events(), (Strings{"usage 10/0/1/0",
                                          "message msg_ m",
                                          "text Looking.",
                                          "started Look#a",
                                          R"(args {"n":"1"})",
                                          "started Look#b",
                                          R"(args {"n":"2"})",
                                          "done tool_use 10/0/1/0",
                                          R"(call Look#a{"n":"1"})",
                                          R"(call Look#b{"n":"2"})",
                                          R"(finished Look#a{"n":"1"} -> ok: Look 1)",
                                          R"(finished Look#b{"n":"2"} -> ok: Look 2)",
                                          "usage 20/0/2/0",
                                          "message msg_ m",
                                          "started Look#call_gemini_1",
                                          R"(args {"n":"3"})",
                                          "done tool_use 20/0/2/0",
                                          R"(call Look#call_gemini_1{"n":"3"})",
                                          R"(finished Look#call_gemini_1{"n":"3"} -> ok: Look 3)",
                                          "usage 30/0/3/0",
                                          "message msg_ m",
                                          "text Done.",
                                          "done end_turn 30/0/3/0"}));
  EXPECT_EQ(scene.last_contents(),
            R"([{"role":"user","parts":[{"text":"go"}]},)"
            R"({"role":"model","parts":[{"text":"Looking."},)"
            R"({"functionCall":{"id":"a","name":"Look","args":{"n":"1"}},)"
            R"("thoughtSignature":"skip_thought_signature_validator"},)"
            R"({"functionCall":{"id":"b","name":"Look","args":{"n":"2"}}}]},)"
            R"({"role":"user","parts":[)"
            R"({"functionResponse":{"id":"a","name":"Look","response":{"output":"Look 1"}}},)"
            R"({"functionResponse":{"id":"b","name":"Look","response":{"output":"Look 2"}}}]},)"
            R"({"role":"model","parts":[{"functionCall":{"name":"Look","args":{"n":"3"}},)"
            R"("thoughtSignature":"skip_thought_signature_validator"}]},)"
            R"({"role":"user","parts":[)"
            R"({"functionResponse":{"name":"Look","response":{"output":"Look 3"}}}]}])");
}

TEST(AgentLoop, AsksAgainTwiceForAnEmptyReply) {
  const auto empty = stream({usage_event(5, 0), finish_event()});
  Scene scene({empty, empty, stream({usage_event(6, 1), text_event("Here."), finish_event()})}, 1);
  EXPECT_EQ(scene.run(),
            "turn success \"Here.\" stop=end_turn turns=1 last=6/0/1/0 total=16/0/1/0 ran "
            "m=16/0/1/0")
      << "and the empty ones are no turns of their own";
  EXPECT_NE(scene.last_contents().find("Your last reply was empty."), std::string::npos);
}

TEST(AgentLoop, FailsWhenTheModelStaysSilent) {
  const auto empty = stream({finish_event("OTHER")});
  Scene scene({empty, empty, empty, empty});
  EXPECT_EQ(scene.run(),
            "turn failed \"API Error: the model returned an empty reply (OTHER)\" stop=end_turn "
            "turns=1 last=0/0/0/0 total=0/0/0/0 kind=server_error");
  EXPECT_EQ(scene.transport.bodies.size(), 3U);
}

TEST(AgentLoop, StopsAtMaxTurnsAfterTheToolsOfTheLastRound) {
  const auto again = stream({usage_event(5, 1), call_event("Look", "{}"), finish_event()});
  Scene scene({again, again, again}, 2);
  EXPECT_EQ(scene.run(),
            "turn max_turns \"Reached maximum number of turns (2)\" stop=tool_use turns=3 "
            "last=5/0/1/0 total=10/0/2/0 max=2 ran m=10/0/2/0");
  EXPECT_EQ(scene.transport.bodies.size(), 2U);
  EXPECT_EQ(scene.journal.notes().size(), 4U);
}

TEST(AgentLoop, LeavesAMessageAloneThatTheModelWouldNotSee) {
  const auto again = stream({call_event("Look", "{}"), finish_event()});
  Scene scene({again, again}, 2);
  int taken = 0;
  scene.loop.run({.message = core::UserMessage("go"),
                  .take_more =
                      [&taken] {
                        ++taken;
                        return std::nullopt;
                      }},
                 scene.world.context(), scene.sink);
  EXPECT_EQ(taken, 1) << "with the first results only";
}

TEST(AgentLoop, DoesNotTakeATextAnswerInTheLastTurnForTooMany) {
  Scene scene({stream({text_event("hi"), finish_event()})}, 1);
  EXPECT_TRUE(scene.run().starts_with("turn success"));
}

TEST(AgentLoop, CountsTurnsFromZeroForEachPrompt) {
  const auto again = stream({call_event("Look", "{}"), finish_event()});
  const auto good = stream({text_event("hi"), finish_event()});
  Scene scene({again, good, again, good}, 2);
  EXPECT_TRUE(scene.run("one").starts_with("turn success"));
  EXPECT_TRUE(scene.run("two").starts_with("turn success"));
}

TEST(AgentLoop, EndsInAFailureWithItsKindAndText) {
  Scene scene({test::error_answer(401, R"({"error":{"message":"bad key"}})")});
  EXPECT_EQ(scene.run(),
            "turn failed \"API Error: 401 bad key \xC2\xB7 Set GEMINI_API_KEY to a valid key, or "
            "log in again with gcloud auth login\" stop=end_turn turns=1 last=0/0/0/0 "
            "total=0/0/0/0 kind=authentication http=401");
}

TEST(AgentLoop, SaysWhenSomethingHadRunBeforeTheFailure) {
  Scene scene({stream({usage_event(5, 1), call_event("Look", "{}"), finish_event()}),
               test::error_answer(400, R"({"error":{"message":"no"}})")});
  EXPECT_EQ(scene.run(),
            "turn failed \"API Error: 400 no\" stop=tool_use turns=2 last=5/0/1/0 total=5/0/1/0 "
            "kind=invalid_request http=400 ran m=5/0/1/0");
}

TEST(AgentLoop, EndsInterruptedInTheMiddleOfAReply) {
  Scene scene({});
  test::Answer answer = stream({usage_event(9, 1), text_event("half")});
  answer.before_end = [&scene] { scene.world.cancel.request_stop(); };
  scene.transport = test::ScriptedTransport({answer});
  EXPECT_EQ(scene.run(),
            "turn interrupted \"\" stop=aborted turns=2 last=0/0/0/0 total=9/0/1/0 ran m=9/0/1/0");
}

TEST(AgentLoop, EndsInterruptedInATool) {
  Scene scene({stream({usage_event(5, 1), call_event("Stop", "{}", "a"),
                       call_event("Look", "{}", "b"), finish_event()})});
  EXPECT_EQ(scene.run(),
            "turn interrupted \"\" stop=aborted turns=4 last=5/0/1/0 total=5/0/1/0 in-tool ran "
            "m=5/0/1/0");
  EXPECT_EQ(scene.transport.bodies.size(), 1U) << "nobody asks the model again";
}

TEST(AgentLoop, GoesOnAfterAnInterruptWithARepairedHistory) {
  Scene scene({});
  test::Answer half = stream({text_event("half")});
  half.before_end = [&scene] { scene.world.cancel.request_stop(); };
  scene.transport = test::ScriptedTransport({half, stream({text_event("ok"), finish_event()})});
  scene.run("one");
  scene.world.cancel = CancelSource();
  EXPECT_TRUE(scene.run("two").starts_with("turn success \"ok\""));
  EXPECT_EQ(scene.last_contents(), R"([{"role":"user","parts":[{"text":"one"}]},)"
                                   R"({"role":"model","parts":[{"text":"half"}]},)"
                                   R"({"role":"user","parts":[{"text":"two"},{"text":")" +
                                       k_cut_reply + R"("}]}])");
}

TEST(AgentLoop, TellsOfAnInterruptWithTheNextMessageThatIsTaken) {
  Scene scene({});
  test::Answer half = stream({text_event("half")});
  half.before_end = [&scene] { scene.world.cancel.request_stop(); };
  scene.transport = test::ScriptedTransport(
      {half, test::error_answer(413, R"({"error":{"message":"too large"}})"),
       stream({text_event("ok"), finish_event()}), stream({text_event("ok"), finish_event()})});
  scene.run("one");
  scene.world.cancel = CancelSource();
  EXPECT_TRUE(scene.run("two").starts_with("turn failed"));
  EXPECT_TRUE(scene.run("three").starts_with("turn success"));
  const std::string told =
      R"({"role":"user","parts":[{"text":"three"},{"text":")" + k_cut_reply + R"("}]})";
  EXPECT_TRUE(scene.last_contents().ends_with(told + "]")) << scene.last_contents();
  EXPECT_TRUE(scene.run("four").starts_with("turn success"));
  EXPECT_TRUE(scene.last_contents().ends_with(told +
                                              R"(,{"role":"model","parts":[{"text":"ok"}]},)"
                                              R"({"role":"user","parts":[{"text":"four"}]}])"))
      << scene.last_contents();
}

TEST(AgentLoop, ListsWhatWasDenied) {
  Scene scene({stream({usage_event(5, 1), call_event("Look", R"({"n":"x"})", "a"), finish_event()}),
               stream({usage_event(5, 1), text_event("ok"), finish_event()})});
  scene.policy.denied = {"a"};
  EXPECT_EQ(scene.run(),
            "turn success \"ok\" stop=end_turn turns=2 last=5/0/1/0 total=10/0/2/0 ran "
            R"(denied=Look#a{"n":"x"} m=10/0/2/0)");
}

TEST(AgentLoop, TurnsABlockedReplyIntoARefusal) {
  Scene reply({stream({R"({"candidates":[{"finishReason":"SAFETY","finishMessage":"no"}]})"})});
  EXPECT_EQ(reply.run(),
            "turn failed \"API Error: the reply was stopped by the model's filters (SAFETY): no\" "
            "stop=refusal turns=1 last=0/0/0/0 total=0/0/0/0 kind=refusal");
  Scene prompt({stream({R"({"promptFeedback":{"blockReason":"OTHER"}})"})});
  const std::string done = prompt.run();
  EXPECT_NE(done.find("the request was blocked by the model's filters (OTHER)"), std::string::npos)
      << done;
}

const test::Answer k_at_limit =
    stream({usage_event(5, 1), text_event("long"), finish_event("MAX_TOKENS")});

TEST(AgentLoop, GoesOnWithAReplyThatReachedTheOutputLimit) {
  Scene scene({k_at_limit, stream({usage_event(6, 2), text_event("er"), finish_event()})}, 1);
  EXPECT_EQ(
      scene.run(),
      "turn success \"longer\" stop=end_turn turns=1 last=6/0/2/0 total=11/0/3/0 ran m=11/0/3/0");
  EXPECT_NE(scene.last_contents().find("Your last reply reached the output limit."),
            std::string::npos);
}

TEST(AgentLoop, GoesOnThreeTimesAtMost) {
  Scene scene({k_at_limit, k_at_limit, k_at_limit, k_at_limit, k_at_limit});
  EXPECT_TRUE(scene.run().starts_with("turn success \"longlonglonglong\" stop=max_tokens"));
  EXPECT_EQ(scene.transport.bodies.size(), 4U);
}

TEST(AgentLoop, StopsAtALimitThatTheUserChose) {
  Scene scene({k_at_limit}, 0, /*own_output_limit=*/true);
  EXPECT_TRUE(scene.run().starts_with("turn success \"long\" stop=max_tokens"));
  EXPECT_EQ(scene.transport.bodies.size(), 1U);
}

TEST(AgentLoop, RunsNoCallOfAReplyThatReachedTheOutputLimit) {
  Scene scene({stream({usage_event(5, 1), call_event("Look", R"({"n":"cut"})", "a"),
                       finish_event("MAX_TOKENS")}),
               stream({usage_event(6, 1), text_event("ok"), finish_event()})});
  EXPECT_TRUE(scene.run().starts_with("turn success \"ok\""));
  EXPECT_TRUE(scene.journal.notes().empty());
  EXPECT_NE(scene.last_contents().find(R"("error":"The call was not run: your reply reached)"),
            std::string::npos);
}

TEST(AgentLoop, ThinksLessWhenThoughtsUsedUpTheOutput) {
  const auto empty = stream({usage_event(5, 0), finish_event("MAX_TOKENS")});
  Scene good({empty, stream({usage_event(5, 1), text_event("ok"), finish_event()})});
  EXPECT_TRUE(good.run().starts_with("turn success \"ok\""));
  Scene bad({empty, empty, empty});
  EXPECT_TRUE(bad.run().starts_with(
      "turn failed \"API Error: the model returned an empty reply (MAX_TOKENS); its output limit "
      "was used up by thinking, try a lower --effort\""));
  EXPECT_EQ(bad.transport.bodies.size(), 2U);
}

TEST(AgentLoop, AsksOnceForOtherWordsAfterARecitation) {
  const auto quoted = stream({usage_event(5, 0), finish_event("RECITATION")});
  Scene good({quoted, stream({usage_event(5, 1), text_event("ok"), finish_event()})});
  EXPECT_TRUE(good.run().starts_with("turn success \"ok\""));
  EXPECT_NE(good.last_contents().find("in your own words"), std::string::npos);
  Scene bad({quoted, quoted, quoted});
  EXPECT_TRUE(bad.run().starts_with(
      "turn failed \"API Error: the reply was stopped by the model's filters (RECITATION)\" "
      "stop=refusal"));
  EXPECT_EQ(bad.transport.bodies.size(), 2U);
}

TEST(AgentLoop, EstimatesTheUsageThatTheServerDoesNotGive) {
  Scene scene({stream({text_event("four byte"), finish_event()})});
  EXPECT_EQ(scene.run(),
            "turn success \"four byte\" stop=end_turn turns=1 last=14/0/3/0~ total=14/0/3/0~ ran "
            "m=14/0/3/0~");
}

TEST(AgentLoop, NamesTheReplacementOfAModelThatIsGone) {
  Scene scene({test::error_answer(404, R"({"error":{"message":"no such model"}})")});
  EXPECT_NE(scene.run().find("; m has been replaced by n\""), std::string::npos);
}

TEST(AgentLoop, ReportsTheLastRequestAloneAsTheContext) {
  Scene scene({stream({usage_event(10, 2), text_event("a")}),  // cut: no finish reason
               stream({usage_event(14, 3), text_event("b"), finish_event()})});
  EXPECT_EQ(scene.run(),
            "turn success \"ab\" stop=end_turn turns=1 last=14/0/3/0 total=24/0/5/0 ran "
            "m=24/0/5/0");
}

TEST(AgentLoop, MeasuresTimeAndNeverSaysZero) {
  Scene quick({stream({text_event("hi"), finish_event()})});
  const core::TurnDone done =
      quick.loop.run({.message = core::UserMessage("go")}, quick.world.context(), quick.sink);
  EXPECT_EQ(done.duration, std::chrono::milliseconds(1));
  EXPECT_EQ(done.api_duration, std::chrono::milliseconds(0));

  Scene slow({test::error_answer(503, "{}"), stream({text_event("hi"), finish_event()})});
  const core::TurnDone waited =
      slow.loop.run({.message = core::UserMessage("go")}, slow.world.context(), slow.sink);
  EXPECT_EQ(waited.duration, std::chrono::milliseconds(500));
  EXPECT_EQ(waited.api_duration, std::chrono::milliseconds(500));
}

TEST(AgentLoop, TakesNothingMoreToSayForTheEndOfAContinuedReply) {
  Scene scene({k_at_limit, stream({usage_event(6, 0), finish_event()})});
  EXPECT_TRUE(scene.run().starts_with("turn success \"long\" stop=end_turn"));
  EXPECT_EQ(scene.transport.bodies.size(), 2U);
}

TEST(AgentLoop, TellsTheModelOfACallThatTheLimitCutOff) {
  const std::string half =
      R"({"candidates":[{"content":{"parts":[{"functionCall":{"name":"Look","willContinue":true}},)"
      R"({"functionCall":{"partialArgs":[{"jsonPath":"$.n","stringValue":"ha",)"
      R"("willContinue":true}],"willContinue":true}}]},"finishReason":"MAX_TOKENS"}]})";
  Scene scene({stream({usage_event(5, 1), half}),
               stream({usage_event(6, 1), text_event("ok"), finish_event()})});
  EXPECT_TRUE(scene.run().starts_with("turn success \"ok\""));
  EXPECT_NE(scene.last_contents().find("inside a call of Look, which was not run"),
            std::string::npos);
  EXPECT_TRUE(scene.journal.notes().empty());
  for (const std::string& event : scene.sink.events()) {
    EXPECT_FALSE(event.starts_with("call ")) << event;
  }
}

TEST(AgentLoop, ForgetsEarlierPushesWhenTheModelMakesProgress) {
  const auto empty = stream({usage_event(5, 0), finish_event()});
  const auto look = stream({usage_event(5, 1), call_event("Look", "{}"), finish_event()});
  Scene scene({empty, empty, look, empty, empty, look, empty, empty, look,
               stream({usage_event(5, 1), text_event("ok"), finish_event()})});
  EXPECT_TRUE(scene.run().starts_with("turn success \"ok\""));
}

TEST(AgentLoop, SendsNoReplyBackThatHasNothingButASignature) {
  const auto signed_only =
      stream({usage_event(5, 0),
              R"({"candidates":[{"content":{"parts":[{"text":"","thoughtSignature":"c2ln"}]},)"
              R"("finishReason":"MAX_TOKENS"}]})"});
  Scene scene({signed_only, stream({usage_event(5, 1), text_event("ok"), finish_event()})});
  EXPECT_TRUE(scene.run().starts_with("turn success \"ok\""));
  EXPECT_EQ(scene.last_contents(), R"([{"role":"user","parts":[{"text":"go"}]}])");
}

TEST(AgentLoop, GoesOnWithoutAMessageThatTheServerRefuses) {
  for (const test::Answer& refusal :
       {test::error_answer(400, R"({"error":{"message":"Unable to process input image"}})"),
        test::error_answer(413, R"({"error":{"message":"too large"}})"),
        stream({R"({"promptFeedback":{"blockReason":"PROHIBITED_CONTENT"}})"})}) {
    Scene scene({stream({text_event("hello"), finish_event()}), refusal,
                 stream({text_event("ok"), finish_event()})});
    scene.run("one");
    EXPECT_TRUE(scene.run("two").starts_with("turn failed"));
    EXPECT_TRUE(scene.run("three").starts_with("turn success \"ok\""));
    EXPECT_EQ(scene.last_contents(), R"([{"role":"user","parts":[{"text":"one"}]},)"
                                     R"({"role":"model","parts":[{"text":"hello"}]},)"
                                     R"({"role":"user","parts":[{"text":"three"}]}])");
  }
}

TEST(AgentLoop, KeepsAMessageThatOnlyTheNetworkFailed) {
  Scene scene({test::error_answer(403, R"({"error":{"message":"no"}})"),
               stream({text_event("ok"), finish_event()})});
  scene.run("one");
  scene.run("two");
  EXPECT_EQ(scene.last_contents(), R"([{"role":"user","parts":[{"text":"one"},{"text":"two"}]}])");
}

TEST(AgentLoop, WithholdsResultsThatTheServerRefuses) {
  Scene scene({stream({usage_event(5, 1), call_event("Look", R"({"n":"x"})", "a"), finish_event()}),
               test::error_answer(400, R"({"error":{"message":"Unable to process input image"}})"),
               stream({usage_event(5, 1), text_event("ok"), finish_event()})});
  EXPECT_TRUE(scene.run("one").starts_with("turn failed"));
  EXPECT_TRUE(scene.run("two").starts_with("turn success \"ok\""));
  EXPECT_NE(
      scene.last_contents().find(
          R"({"functionResponse":{"id":"a","name":"Look","response":{"error":"The result was)"),
      std::string::npos)
      << scene.last_contents();
  EXPECT_EQ(scene.last_contents().find("Look x"), std::string::npos);
}

const test::Answer k_refused_image =
    test::error_answer(400, R"({"error":{"message":"Unable to process input image."}})");
const test::Answer k_ok = stream({usage_event(5, 1), text_event("ok"), finish_event()});
const test::Answer k_picture_call =
    stream({usage_event(5, 1), call_event("Picture", R"({"n":"x"})", "a"), finish_event()});

core::UserMessage with_picture() {
  core::UserMessage message("see");
  message.blocks.emplace_back(test::small_png());
  return message;
}

std::size_t count(const std::string& text, std::string_view piece) {
  std::size_t times = 0;
  for (std::size_t at = 0; (at = text.find(piece, at)) != std::string::npos; ++at) ++times;
  return times;
}

TEST(AgentLoop, GoesOnWithoutAPictureThatTheServerRefuses) {
  Scene scene({k_refused_image, k_ok}, 1);
  EXPECT_TRUE(scene.run(with_picture()).starts_with("turn success \"ok\""))
      << "and 1 turn is enough";
  EXPECT_EQ(count(scene.transport.bodies.at(0), "inlineData"), 1U);
  EXPECT_EQ(
      scene.last_contents(),
      R"([{"role":"user","parts":[{"text":"see"},{"text":"[image/png of 68 bytes withheld: the )"
      R"(server refused the request it was in (API Error: 400 Unable to process input image.). )"
      R"(Go on without it; if there were several, look at one at a time to find the one that )"
      R"(is at fault]"}]}])");
  EXPECT_EQ(scene.sink.events().front(),
            "notice The server refused a picture or document (API Error: 400 Unable to process "
            "input image.). The model was asked to go on without it.");
}

TEST(AgentLoop, GoesOnWithoutAPictureOfAToolThatTheServerRefuses) {
  Scene scene({k_picture_call, k_refused_image, k_picture_call, k_refused_image, k_ok});
  EXPECT_TRUE(scene.run().starts_with("turn success \"ok\""));
  EXPECT_EQ(count(scene.transport.bodies.at(1), "inlineData"), 1U);
  EXPECT_EQ(count(scene.last_contents(), "inlineData"), 0U);
  EXPECT_EQ(
      count(scene.last_contents(),
            R"("response":{"output":"Picture x\n[image/png of 68 bytes withheld: the server)"),
      2U)
      << scene.last_contents();
}

TEST(AgentLoop, KeepsPicturesThatTheServerHasTaken) {
  Scene scene({k_ok, k_picture_call, k_refused_image, k_ok});
  scene.run(with_picture());
  EXPECT_TRUE(scene.run("again").starts_with("turn success \"ok\""));
  EXPECT_EQ(count(scene.last_contents(), "inlineData"), 1U);
  EXPECT_EQ(count(scene.last_contents(), "withheld"), 1U);
}

// After a change of the model, or when it changed its mind.
TEST(AgentLoop, WithholdsOldPicturesWhenThereAreNoNewOnes) {
  Scene scene({k_ok, k_refused_image, k_ok});
  scene.run(with_picture());
  EXPECT_TRUE(scene.run("again").starts_with("turn success \"ok\""));
  EXPECT_EQ(count(scene.last_contents(), "inlineData"), 0U);
  EXPECT_EQ(count(scene.last_contents(), "withheld"), 1U);
  EXPECT_EQ(count(scene.last_contents(), R"({"text":"again"})"), 1U);
}

TEST(AgentLoop, GivesUpWhenNoPictureIsLeftToWithhold) {
  Scene scene({k_ok, k_refused_image, k_refused_image, k_refused_image, k_refused_image, k_ok});
  scene.run(with_picture());
  EXPECT_TRUE(scene.run(with_picture()).starts_with("turn failed \"API Error: 400 Unable"));
  EXPECT_EQ(scene.transport.bodies.size(), 4U) << "without the new one, without the old, no more";
  EXPECT_TRUE(scene.run("next").starts_with("turn failed")) << "which has none to withhold";
  EXPECT_EQ(scene.transport.bodies.size(), 5U);
}

TEST(AgentLoop, TakesAnUnnamedFaultForOneOfANewPictureOnly) {
  const auto refusal =
      test::error_answer(400, R"({"error":{"message":"Request contains an invalid argument."}})");
  Scene scene({refusal, k_ok, k_ok, refusal});
  EXPECT_TRUE(scene.run(with_picture()).starts_with("turn success \"ok\""));
  EXPECT_TRUE(scene.run(with_picture()).starts_with("turn success \"ok\""));
  EXPECT_TRUE(scene.run("text").starts_with("turn failed"));
  EXPECT_EQ(scene.transport.bodies.size(), 4U);
}

TEST(AgentLoop, SendsNoBrokenPictureOfATool) {
  Scene scene(
      {stream({usage_event(5, 1), call_event("Picture", R"({"n":"broken"})", "a"), finish_event()}),
       k_ok});
  EXPECT_TRUE(scene.run().starts_with("turn success \"ok\""));
  EXPECT_EQ(count(scene.last_contents(), "inlineData"), 0U);
  EXPECT_EQ(count(scene.last_contents(), "[image/png of 2 bytes withheld: its bytes are no PNG"),
            1U);
}

TEST(AgentLoop, GoesOnWhenAHookSaysWhatIsMissing) {
  Scene scene({stream({text_event("done"), finish_event()}),
               stream({text_event("tested"), finish_event()})});
  scene.hooks.reasons = {"run the tests"};
  scene.hooks.for_ever = false;
  EXPECT_EQ(scene.run().substr(0, 44), "turn success \"tested\" stop=end_turn turns=2 ");
  EXPECT_EQ(scene.hooks.asked, (Strings{"done", "tested again"}));
  EXPECT_NE(scene.transport.bodies[1].find("run the tests"), std::string::npos);
}

TEST(AgentLoop, DoesNotGoOnForEver) {
  std::vector<test::Answer> answers;
  for (int i = 0; i < 9; ++i) answers.push_back(stream({text_event("done"), finish_event()}));
  Scene scene(std::move(answers));
  scene.hooks.reasons = {"never content"};
  scene.run();
  EXPECT_EQ(scene.hooks.asked.size(), 9U);
  EXPECT_EQ(scene.sink.events().back(),
            "notice Stop hooks or subagents have sent the model on 8 times. The turn ends all the "
            "same.");
}

TEST(AgentLoop, EndsWithoutAnAnswerWhenAHookWantsIt) {
  Scene scene({stream({call_event("Look", "{}"), finish_event()})});
  scene.hooks.ends_turn = true;
  EXPECT_EQ(scene.run().substr(0, 16), "turn success \"\" ");
  EXPECT_EQ(scene.hooks.asked, Strings{"ran Look"});
}

}  // namespace
}  // namespace yume::agent
