// SPDX-License-Identifier: MIT
// What the runner of tools asks a host, and what it makes of the answer.
#include "agent/tool_runner.h"

#include "support/event_text.h"
#include "support/fake_tools.h"
#include "support/no_hooks.h"
#include "support/recording_sink.h"
#include "support/tool_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace yume::agent {
namespace {

using Strings = std::vector<std::string>;
using Reply = std::variant<core::HostAnswer, Error>;

// A host that answers from a script and remembers what it was asked.
class FakeHost final : public core::Questions {
 public:
  Result<core::HostAnswer> ask(core::HostQuestion question,
                               std::optional<std::chrono::milliseconds> timeout,
                               const CancelToken&) override {
    const auto& may_run = std::get<core::MayRun>(question);
    asked.push_back(may_run.call.name + "#" + may_run.call.id + may_run.call.input.text + " " +
                    may_run.reason + (may_run.needs_person ? " person" : "") +
                    (may_run.suggestions.empty() ? "" : " suggests") + (timeout ? " timeout" : ""));
    if (on_ask) on_ask();
    if (answers.empty()) return Error{.code = ErrorCode::internal, .message = "not scripted"};
    const Reply answer = std::move(answers.front());
    answers.pop_front();
    if (const auto* error = std::get_if<Error>(&answer)) return *error;
    return std::get<core::HostAnswer>(answer);
  }

  std::deque<Reply> answers;
  Strings asked;
  std::function<void()> on_ask;
};

// Remembers modes; asks and denies by the call's id, and denies what contains "forbidden".
class Policy final : public permissions::PermissionPolicy {
 public:
  core::Decision decide(const core::ToolCall& call, const core::Action&) const override {
    if (call.input.text.find("forbidden") != std::string::npos) return core::Deny{"by a rule"};
    if (allows_all) return core::Allow{};
    return core::Ask{"Why " + call.id + "."};
  }
  void set_mode(core::PermissionMode mode) override {
    modes.push_back(mode);
    allows_all = mode == core::PermissionMode::bypass;
  }

  bool allows_all = false;
  std::vector<core::PermissionMode> modes;
};

struct Scene {
  explicit Scene(std::vector<Reply> answers = {}) : registry(tools_of(journal)) {
    host.answers = {answers.begin(), answers.end()};
  }

  static tools::Registry tools_of(test::ToolJournal& journal) {
    std::vector<std::unique_ptr<tools::Tool>> tools;
    tools.push_back(std::make_unique<test::FakeTool>("Look", tools::Effect::reads_only, journal));
    tools.push_back(
        std::make_unique<test::FakeTool>("Change", tools::Effect::changes_things, journal));
    return tools::Registry(std::move(tools));
  }

  Strings run(const std::vector<std::pair<std::string, std::string>>& names_and_ids) {
    std::vector<AskedCall> calls;
    for (const auto& [name, id] : names_and_ids) {
      calls.push_back({.id = id,
                       .provider = {.id = id, .name = name},
                       .input = tools::read_call_input(name, R"({"n":"1"})")});
    }
    Strings texts;
    for (const FinishedCall& finished :
         runner.run(std::move(calls), world.context(), sink, guard)) {
      texts.push_back(finished.call.id + " " + (finished.outcome.is_error ? "error: " : "ok: ") +
                      finished.outcome.content +
                      (finished.denial == Denial::none ? "" : " denied") +
                      (finished.denial == Denial::with_turn ? " ends" : ""));
    }
    return texts;
  }

  test::ToolWorld world;
  test::ToolJournal journal;
  Policy policy;
  FakeHost host;
  test::RecordingSink sink;
  tools::Registry registry;
  Redactor redactor;
  LoopGuard guard;
  test::NoHooks hooks;
  ToolRunner runner{registry, policy, redactor, hooks, &host};
};

TEST(HostQuestions, AreAskedForEachCallAfterItWasAnnounced) {
  Scene scene({core::HostAllows{}, core::HostAllows{}});
  Strings announced;
  scene.host.on_ask = [&] {
    if (announced.empty()) announced = scene.sink.events();
  };
  EXPECT_EQ(scene.run({{"Look", "a"}, {"Look", "b"}}), (Strings{"a ok: Look 1", "b ok: Look 1"}));
  EXPECT_EQ(scene.host.asked, (Strings{R"(Look#a{"n":"1"} Why a.)", R"(Look#b{"n":"1"} Why b.)"}))
      << "without a timeout: a person may think";
  EXPECT_EQ(announced, (Strings{R"(call Look#a{"n":"1"})", R"(call Look#b{"n":"1"})"}));
}

TEST(HostQuestions, AnswerADenialInTheHostsWords) {
  Scene scene({core::HostDenies{"Not now."}, core::HostAllows{}});
  EXPECT_EQ(scene.run({{"Change", "a"}, {"Change", "b"}}),
            (Strings{"a error: Not now. denied", "b ok: Change 1"}));
  EXPECT_EQ(scene.journal.notes(), (Strings{"plan Change 1", "plan Change 1", "run Change 1"}));
  for (const std::string& event : scene.sink.events()) {
    EXPECT_FALSE(event.starts_with("refused")) << "the host knows what it said";
  }
}

TEST(HostQuestions, AreNotAskedAnyMoreWhenADenialEndsTheTurn) {
  Scene scene({core::HostDenies{.message = "Stop.", .interrupt = true}});
  EXPECT_EQ(scene.run({{"Change", "a"}, {"Change", "b"}}),
            (Strings{"a error: Stop. denied ends",
                     "b error: The tool call was not run because the user interrupted the turn."}));
  EXPECT_EQ(scene.host.asked.size(), 1U);
}

TEST(HostQuestions, RunACallWithTheInputThatTheHostGaveInstead) {
  Scene scene({core::HostAllows{.input = RawJson{R"({"n":"2"})"}}});
  EXPECT_EQ(scene.run({{"Change", "a"}}), Strings{"a ok: Change 2"});
}

TEST(HostQuestions, NeverRunWhatARuleDeniesWhateverTheHostGives) {
  Scene scene({core::HostAllows{.input = RawJson{R"({"n":"forbidden"})"}}});
  EXPECT_EQ(scene.run({{"Change", "a"}}), Strings{"a error: by a rule denied"});
  EXPECT_EQ(scene.journal.notes(), (Strings{"plan Change 1", "plan Change forbidden"}));
}

TEST(HostQuestions, RefuseAnInputThatTheToolCannotUse) {
  Scene scene({core::HostAllows{.input = RawJson{R"({"n":7})"}}});
  const Strings finished = scene.run({{"Change", "a"}});
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_TRUE(finished[0].starts_with("a error: ")) << finished[0];
  EXPECT_EQ(scene.journal.notes(), Strings{"plan Change 1"});
}

TEST(HostQuestions, SetTheModeThatComesWithAnAllowance) {
  const auto mode = core::PermissionMode::bypass;
  Scene scene({core::HostAllows{.updates = {core::ModeUpdate{.mode = mode}}}});
  EXPECT_EQ(scene.run({{"Change", "a"}, {"Change", "b"}}),
            (Strings{"a ok: Change 1", "b ok: Change 1"}));
  EXPECT_EQ(scene.policy.modes, std::vector{mode});
  EXPECT_EQ(scene.host.asked.size(), 1U) << "the second is allowed by then";
  const Strings events = scene.sink.events();
  EXPECT_EQ(std::count(events.begin(), events.end(), "mode bypassPermissions"), 1);
}

TEST(HostQuestions, TakeNoAnswerForNo) {
  const std::string closed =
      "Tool permission request failed: AbortError: Tool permission stream closed before response "
      "received";
  const std::vector<std::pair<Reply, std::string>> cases = {
      {Error{.code = ErrorCode::io, .message = "x"}, closed},
      {Error{.code = ErrorCode::busy, .message = "too many questions"}, "too many questions"},
      {core::HostFailed{"it broke"}, "Tool permission request failed: it broke"},
      {core::HookReturned{{"{}"}}, "Tool permission request failed: the answer is no permission"},
  };
  for (const auto& [answer, message] : cases) {
    Scene scene({answer});
    EXPECT_EQ(scene.run({{"Change", "a"}}), Strings{"a error: " + message + " denied"});
    EXPECT_EQ(scene.journal.notes(), Strings{"plan Change 1"});
  }
}

TEST(HostQuestions, AreNotAskedAfterTheTurnWasInterrupted) {
  Scene scene;
  scene.world.cancel.request_stop();
  EXPECT_EQ(scene.run({{"Change", "a"}}),
            Strings{"a error: The tool call was not run because the user interrupted the turn."});
  EXPECT_EQ(scene.host.asked, Strings{});
}

}  // namespace
}  // namespace yume::agent
