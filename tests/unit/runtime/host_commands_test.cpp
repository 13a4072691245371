// SPDX-License-Identifier: MIT
// What hosts want of a session beside plain prompts, through the main loop.
#include "unit/runtime/main_loop_scene.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::runtime {
namespace {

using namespace test_scene;

// 0: idle, 1: running, 2: requires_action.
TEST(HostCommands, TellsEachStateOnceAndIdleAtTheEnd) {
  Scene scene;
  scene.host.shows_state = true;
  scene.host.on_question = [&scene](const std::string& request_id) {
    scene.say({.content = protocol::RawAnswer{.request_id = request_id, .response = {}}});
  };
  scene.turn([&scene](core::EventSink&, const CancelToken& cancel) {
    core::SessionPort port(scene.port, {.session_id = "S"});
    (void)port.ask(core::MayRun{.call = {.id = "c", .name = "Bash", .input = {}}}, std::nullopt,
                   cancel);
    return good("1");
  });
  scene.say(prompt("q"));
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  const Strings lines = scene.lines();
  EXPECT_EQ(lines.front(), "state 1");
  EXPECT_EQ(lines.back(), "state 0");
}

TEST(HostCommands, FindsTheQuestionByTheCallThatAnAnswerNames) {
  Scene scene;
  scene.host.on_question = [&scene](const std::string&) {
    scene.say({.content = protocol::RawAnswer{
                   .request_id = {}, .response = {}, .error = "no", .call_id = "c"}});
  };
  scene.turn([&scene](core::EventSink&, const CancelToken& cancel) {
    core::SessionPort port(scene.port, {.session_id = "S"});
    const auto answer = port.ask(core::MayRun{.call = {.id = "c", .name = "Bash", .input = {}}},
                                 std::nullopt, cancel);
    scene.mailbox.post_control(StdinClosed{});
    return good(answer.ok() ? std::get<core::HostDenies>(*answer).message : "unanswered");
  });
  scene.say(prompt("q"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.lines().back(), result("success", "no"));
}

TEST(HostCommands, KeepsAMessageThatWantsNoReplyForTheNextOne) {
  Scene scene;
  scene.say(message(core::Prompt{.message = core::UserMessage("one"), .wants_reply = false}));
  scene.say(prompt("two"));
  scene.mailbox.post_control(StdinClosed{});
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.strategy.prompts, Strings{"one\n\ntwo"});
  EXPECT_EQ(scene.lines(), (Strings{k_session, result("success", "unscripted")}));
}

TEST(HostCommands, EndsTheTurnForAMessageThatCannotWait) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    scene.say(message(core::Prompt{.message = core::UserMessage("later"),
                                   .urgency = core::Prompt::Urgency::later}));
    scene.say(message(
        core::Prompt{.message = core::UserMessage("now"), .urgency = core::Prompt::Urgency::now}));
    scene.mailbox.post_control(StdinClosed{});
    settle(sink);
    EXPECT_TRUE(cancel.stop_requested());
    return good("1");
  });
  scene.say(prompt("one"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.strategy.prompts, (Strings{"one", "now", "later"}));
}

TEST(HostCommands, ForgetsPromptsWithAnInterruptAndNothingElse) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken& cancel) {
    scene.say(message(core::RewindFiles{.prompt_uuid = "x", .dry_run = true}, "r1"));
    scene.say(prompt("two"));
    settle(sink);
    scene.say(message(core::Interrupt{.cancel_queued = true}, "r2"));
    wait_until_cancelled(cancel);
    scene.mailbox.post_control(StdinClosed{});
    return ended(core::TurnOutcome::interrupted);
  });
  scene.say(prompt("one"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::failure);
  EXPECT_EQ(scene.strategy.prompts, Strings{"one"});
  EXPECT_NE(scene.out.text.find("\"request_id\":\"r1\""), std::string::npos);
}

TEST(HostCommands, ForgetsAPromptThatStillWaits) {
  Scene scene;
  scene.turn([&scene](core::EventSink& sink, const CancelToken&) {
    scene.say(message(core::Prompt{.message = core::UserMessage("two"), .uuid = "u"}));
    scene.say(message(core::CancelPrompt{"u"}, "r1"));
    scene.say(message(core::CancelPrompt{"u"}, "r2"));
    scene.mailbox.post_control(StdinClosed{});
    settle(sink);
    return good("1");
  });
  scene.say(prompt("one"));
  EXPECT_EQ(scene.run(std::nullopt), ExitCode::success);
  EXPECT_EQ(scene.strategy.prompts, Strings{"one"});
  EXPECT_NE(scene.out.text.find(R"("request_id":"r1","response":{"cancelled":true})"),
            std::string::npos);
  EXPECT_NE(scene.out.text.find(R"("request_id":"r2","response":{"cancelled":false})"),
            std::string::npos);
}

}  // namespace
}  // namespace yume::runtime
