// SPDX-License-Identifier: MIT
// What hooks can do about a call, and what they cannot.
#include "agent/call_judge.h"

#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "support/fake_tools.h"
#include "support/no_hooks.h"
#include "support/recording_sink.h"
#include "support/tool_world.h"

namespace yume::agent {
namespace {

using Permission = core::CallAdvice::Permission;

class Hooks final : public test::NoHooks {
 public:
  core::CallAdvice before_call(const core::ToolCall& call, core::EventSink&,
                               const CancelToken&) override {
    seen += "before " + call.input.text + "\n";
    return advice;
  }
  std::optional<core::HostAnswer> may_run(const core::MayRun& question, core::EventSink&,
                                          const CancelToken&) override {
    seen += "may run " + question.call.input.text + "\n";
    return answer;
  }
  void on_question(const core::MayRun&, core::EventSink&, const CancelToken&) override {
    seen += "question\n";
  }

  core::CallAdvice advice;
  std::optional<core::HostAnswer> answer;
  std::string seen;
};

class Policy final : public permissions::PermissionPolicy {
 public:
  core::Decision decide(const core::ToolCall& call, const core::Action&) const override {
    if (call.input.text.find("forbidden") != std::string::npos) return core::Deny{"by a rule"};
    return decision;
  }
  core::Decision decision = core::Allow{};
};

class Host final : public core::Questions {
 public:
  Result<core::HostAnswer> ask(core::HostQuestion question,
                               std::optional<std::chrono::milliseconds>,
                               const CancelToken&) override {
    const auto& may_run = std::get<core::MayRun>(question);
    asked.push_back(may_run.call.input.text + " " + may_run.reason);
    return core::HostAnswer(core::HostDenies{.message = "no"});
  }
  std::vector<std::string> asked;
};

struct Scene {
  Redactor redactor;
  // How the call ends up.
  std::string settle(std::string input = R"({"n":"1"})", bool has_host = true) {
    CallJudge judge(policy, hooks, redactor, has_host ? &host : nullptr);
    const tools::ToolContext context = world.context();
    CallJudge::Round round{.context = context, .sink = sink};
    judged = CallJudge::plan({.id = "c",
                              .provider = {.id = "c", .name = "Change"},
                              .input = tools::read_call_input("Change", std::move(input))},
                             &tool, context);
    judge.settle(judged, round);
    if (std::holds_alternative<CallReady>(judged.state)) return "runs";
    const auto& answered = std::get<CallAnswered>(judged.state);
    return answered.outcome.content + (answered.denial == Denial::by_hook ? " (hook)" : "");
  }

  test::ToolWorld world;
  test::ToolJournal journal;
  test::FakeTool tool{"Change", tools::Effect::changes_things, journal};
  test::RecordingSink sink;
  Policy policy;
  Hooks hooks;
  Host host;
  JudgedCall judged;
};

TEST(CallJudge, AHookMayDenyWhatIsAllowed) {
  Scene scene;
  EXPECT_EQ(scene.settle(), "runs");
  scene.hooks.advice = {.permission = Permission::deny, .reason = "not today"};
  EXPECT_EQ(scene.settle(), "not today (hook)");
}

TEST(CallJudge, AHookMayAnswerAQuestionThatARuleCouldAnswer) {
  Scene scene;
  scene.hooks.advice.permission = Permission::allow;
  scene.policy.decision = core::Ask{.message = "why", .may_be_lifted = true};
  EXPECT_EQ(scene.settle(), "runs");
  scene.policy.decision = core::Ask{.message = "why"};
  EXPECT_EQ(scene.settle(), "no") << "an ask rule, a protected file, a critical removal";
  EXPECT_EQ(scene.host.asked, std::vector<std::string>{R"({"n":"1"} why)"});
}

TEST(CallJudge, NoHookLiftsADenial) {
  Scene scene;
  scene.hooks.advice.permission = Permission::allow;
  scene.hooks.answer = core::HostAllows{};
  EXPECT_EQ(scene.settle(R"({"n":"forbidden"})"), "by a rule");
  scene.hooks.advice.input = RawJson{R"({"n":"forbidden"})"};
  EXPECT_EQ(scene.settle(), "by a rule") << "nor brings one about";
  scene.hooks.advice.input.reset();
  scene.policy.decision = core::Ask{.message = "why"};
  scene.hooks.answer = core::HostAllows{.input = RawJson{R"({"n":"forbidden"})"}};
  EXPECT_EQ(scene.settle(), "by a rule");
}

TEST(CallJudge, AHookMayWantSomebodyToBeAsked) {
  Scene scene;
  scene.hooks.advice = {.permission = Permission::ask, .reason = "look at this"};
  EXPECT_EQ(scene.settle(), "no");
  EXPECT_EQ(scene.host.asked, std::vector<std::string>{R"({"n":"1"} look at this)"});
  EXPECT_EQ(scene.settle(R"({"n":"1"})", false), "look at this") << "and nobody is there";
}

TEST(CallJudge, ACallRunsWithWhatAHookMadeOfIt) {
  Scene scene;
  scene.hooks.advice.input = RawJson{R"({"n":"2"})"};
  EXPECT_EQ(scene.settle(), "runs");
  EXPECT_EQ(scene.judged.call.input.text, R"({"n":"1"})") << "as it was announced";
  EXPECT_EQ(scene.judged.current().input.text, R"({"n":"2"})");
  scene.policy.decision = core::Ask{.message = "why"};
  EXPECT_EQ(scene.settle(), "no");
  EXPECT_EQ(scene.host.asked, std::vector<std::string>{R"({"n":"2"} why)"});
}

TEST(CallJudge, AHookMayAnswerForTheHost) {
  Scene scene;
  scene.policy.decision = core::Ask{.message = "why"};
  scene.hooks.answer = core::HostAllows{.input = RawJson{R"({"n":"3"})"}};
  EXPECT_EQ(scene.settle(), "runs");
  EXPECT_EQ(scene.settle(R"({"n":"1"})", false), "runs") << "also when nobody else is there";
  EXPECT_EQ(scene.judged.current().input.text, R"({"n":"3"})");
  scene.hooks.answer = core::HostDenies{.message = "hook says no"};
  EXPECT_EQ(scene.settle(), "hook says no");
  EXPECT_EQ(scene.host.asked, std::vector<std::string>{});
  scene.hooks.answer = core::HostAllows{};
  scene.policy.decision = core::Ask{.message = "why", .in_every_mode = true};
  EXPECT_EQ(scene.settle(), "no") << "what is asked for in every mode is a person's to answer";
}

TEST(CallJudge, HooksHearOfQuestionsThatAreAsked) {
  Scene scene;
  scene.policy.decision = core::Ask{.message = "why"};
  scene.settle();
  EXPECT_EQ(scene.hooks.seen, "before {\"n\":\"1\"}\nmay run {\"n\":\"1\"}\nquestion\n");
  scene.hooks.seen.clear();
  scene.settle(R"({"n":"1"})", false);
  EXPECT_EQ(scene.hooks.seen, "before {\"n\":\"1\"}\nmay run {\"n\":\"1\"}\n");
}

TEST(CallJudge, HooksAreNotAskedAboutWhatCannotRun) {
  Scene scene;
  scene.settle("[");
  EXPECT_EQ(scene.hooks.seen, "");
}

}  // namespace
}  // namespace yume::agent
