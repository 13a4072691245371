// SPDX-License-Identifier: MIT
#include "agent/tool_runner.h"

#include "support/event_text.h"
#include "support/fake_tools.h"
#include "support/no_hooks.h"
#include "support/recording_sink.h"
#include "support/tool_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <barrier>
#include <latch>
#include <memory>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

namespace yume::agent {
namespace {

using Strings = std::vector<std::string>;
using test::FakeTool;
using tools::Effect;

AskedCall call_with(const std::string& name, const std::string& id, std::string args) {
  return {.id = id,
          .provider = {.id = id, .name = name},
          .input = tools::read_call_input(name, std::move(args))};
}

AskedCall call(const std::string& name, const std::string& id, const std::string& n) {
  return call_with(name, id, R"({"n":")" + n + R"("})");
}

// A runner with one reading and one changing tool.
struct Scene {
  explicit Scene(const FakeTool::Run& look = {}, const FakeTool::Run& change = {})
      : registry(tools_of(journal, look, change)), runner(registry, policy, redactor, hooks) {}

  static tools::Registry tools_of(test::ToolJournal& journal, const FakeTool::Run& look,
                                  const FakeTool::Run& change) {
    std::vector<std::unique_ptr<tools::Tool>> tools;
    tools.push_back(std::make_unique<FakeTool>("Look", Effect::reads_only, journal, look));
    tools.push_back(std::make_unique<FakeTool>("Change", Effect::changes_things, journal, change));
    return tools::Registry(std::move(tools));
  }

  Strings run(const std::vector<AskedCall>& calls) {
    Strings texts;
    for (const FinishedCall& finished : runner.run(calls, world.context(), sink, guard)) {
      std::string text = finished.call.id + " " + finished.provider.id.value_or("none") + " " +
                         finished.provider.name + " " + test::text_of(finished.outcome);
      if (finished.denial != Denial::none) text += " denied";
      texts.push_back(std::move(text));
    }
    return texts;
  }

  test::ToolWorld world;
  test::ToolJournal journal;
  test::FakePolicy policy;
  test::RecordingSink sink;
  tools::Registry registry;
  Redactor redactor;
  LoopGuard guard;
  test::NoHooks hooks;
  ToolRunner runner;
};

TEST(ToolRunner, RunsNothingForNoCalls) {
  Scene scene;
  EXPECT_EQ(scene.run({}), Strings{});
  EXPECT_EQ(scene.sink.events(), Strings{});
}

TEST(ToolRunner, AnnouncesFlushesRunsAndAnswersAChange) {
  Scene scene;
  EXPECT_EQ(scene.run({call("Change", "a", "1")}), Strings{"a a Change ok: Change 1"});
  EXPECT_EQ(scene.sink.events(), (Strings{R"(call Change#a{"n":"1"})", "flush",
                                          R"(finished Change#a{"n":"1"} -> ok: Change 1)"}));
}

TEST(ToolRunner, FlushesTheLineBeforeTheChangeHappens) {
  Strings at_change;
  test::RecordingSink* sink = nullptr;
  Scene scene({}, [&](const std::string&, const tools::ToolContext&) {
    at_change = sink->events();
    return core::ToolOutcome{};
  });
  sink = &scene.sink;
  scene.run({call("Change", "a", "1")});
  EXPECT_EQ(at_change, (Strings{R"(call Change#a{"n":"1"})", "flush"}));
}

TEST(ToolRunner, TakesCredentialsOutOfWhatAToolBroughtBack) {
  const std::string token = "ya29.a-live-access-token";
  Scene scene([&token](const std::string&, const tools::ToolContext&) {
    return core::ToolOutcome{.content = "it is " + token,
                             .details = core::PlanApproved{"it is " + token}};
  });
  scene.redactor.learn(token);
  const auto finished =
      scene.runner.run({call("Look", "a", "1")}, scene.world.context(), scene.sink, scene.guard);
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_EQ(finished[0].outcome.content, "it is [redacted]");
  EXPECT_EQ(scene.sink.events().back(), R"(finished Look#a{"n":"1"} -> ok: it is [redacted] | )"
                                        R"({"plan":"it is [redacted]","isAgent":false})");
}

TEST(ToolRunner, DoesNotFlushForReads) {
  Scene scene;
  scene.run({call("Look", "a", "1"), call("Look", "b", "2")});
  EXPECT_EQ(scene.sink.events(), (Strings{R"(call Look#a{"n":"1"})", R"(call Look#b{"n":"2"})",
                                          R"(finished Look#a{"n":"1"} -> ok: Look 1)",
                                          R"(finished Look#b{"n":"2"} -> ok: Look 2)"}));
}

TEST(ToolRunner, RunsNeighbouringReadsSideBySide) {
  std::latch both(2);  // a single thread would wait here for ever
  Scene scene([&both](const std::string& n, const tools::ToolContext&) {
    both.arrive_and_wait();
    return core::ToolOutcome{.is_error = false, .content = "saw " + n, .details = {}};
  });
  EXPECT_EQ(scene.run({call("Look", "a", "1"), call("Look", "b", "2")}),
            (Strings{"a a Look ok: saw 1", "b b Look ok: saw 2"}));
}

TEST(ToolRunner, AnswersInCallOrderWhateverEndsFirst) {
  std::latch second_done(1);
  Scene scene([&](const std::string& n, const tools::ToolContext&) {
    if (n == "1") second_done.wait();
    if (n == "2") second_done.count_down();
    return core::ToolOutcome{.is_error = false, .content = n, .details = {}};
  });
  EXPECT_EQ(scene.run({call("Look", "a", "1"), call("Look", "b", "2")}),
            (Strings{"a a Look ok: 1", "b b Look ok: 2"}));
  EXPECT_EQ(scene.sink.events().back(), R"(finished Look#b{"n":"2"} -> ok: 2)");
}

TEST(ToolRunner, RunsEightAtOnceAndNoMore) {
  constexpr int k_at_once = 8;
  std::barrier eight(k_at_once);  // fewer would wait here for ever
  std::mutex mutex;
  std::set<std::thread::id> workers;
  int running = 0;
  int most = 0;
  Scene scene([&](const std::string&, const tools::ToolContext&) {
    {
      const std::lock_guard lock(mutex);
      workers.insert(std::this_thread::get_id());
      most = std::max(most, ++running);
    }
    eight.arrive_and_wait();
    const std::lock_guard lock(mutex);
    --running;
    return core::ToolOutcome{};
  });
  std::vector<AskedCall> calls;
  for (int i = 0; i < 25 * k_at_once; ++i) {
    calls.push_back(call("Look", "id" + std::to_string(i), "x"));
  }
  EXPECT_EQ(scene.run(calls).size(), calls.size());
  EXPECT_EQ(most, k_at_once);
  EXPECT_EQ(workers.size(), std::size_t{k_at_once});
}

TEST(ToolRunner, NeverRunsAChangeBesideAnythingElse) {
  Scene scene;
  scene.run({call("Look", "a", "1"), call("Change", "b", "2"), call("Change", "c", "3"),
             call("Look", "d", "4")});
  // Each is planned only after the one before has run: it may change what a path means.
  EXPECT_EQ(scene.journal.notes(),
            (Strings{"plan Look 1", "run Look 1", "plan Change 2", "run Change 2", "plan Change 3",
                     "run Change 3", "plan Look 4", "run Look 4"}));
  EXPECT_EQ(scene.sink.events(),
            (Strings{R"(call Look#a{"n":"1"})", R"(finished Look#a{"n":"1"} -> ok: Look 1)",
                     R"(call Change#b{"n":"2"})", "flush",
                     R"(finished Change#b{"n":"2"} -> ok: Change 2)", R"(call Change#c{"n":"3"})",
                     "flush", R"(finished Change#c{"n":"3"} -> ok: Change 3)",
                     R"(call Look#d{"n":"4"})", R"(finished Look#d{"n":"4"} -> ok: Look 4)"}));
}

TEST(ToolRunner, AnswersAnUnknownTool) {
  Scene scene;
  const std::string outcome =
      "error: <tool_use_error>Error: No such tool available: Fly</tool_use_error>";
  EXPECT_EQ(scene.run({call("Fly", "a", "1"), call("Look", "b", "2")}),
            (Strings{"a a Fly " + outcome, "b b Look ok: Look 2"}));
  EXPECT_EQ(scene.sink.events()[2], R"(finished Fly#a{"n":"1"} -> )" + outcome +
                                        R"( | "Error: Error: No such tool available: Fly")");
  EXPECT_EQ(scene.journal.notes(), (Strings{"plan Look 2", "run Look 2"}));
}

TEST(ToolRunner, AnswersADeniedCallAndSaysThatItWasRefused) {
  Scene scene;
  scene.policy.denied = {"a"};
  scene.policy.asked = {"b"};
  EXPECT_EQ(scene.run({call("Change", "a", "1"), call("Look", "b", "2"), call("Look", "c", "3")}),
            (Strings{"a a Change error: denied a denied", "b b Look error: asked b denied",
                     "c c Look ok: Look 3"}));
  EXPECT_EQ(scene.sink.events(),
            (Strings{R"(call Change#a{"n":"1"})", R"(refused Change#a{"n":"1"} -> denied a)",
                     R"(finished Change#a{"n":"1"} -> error: denied a | "Error: denied a")",
                     R"(call Look#b{"n":"2"})", R"(call Look#c{"n":"3"})",
                     R"(refused Look#b{"n":"2"} -> asked b)",
                     R"(finished Look#b{"n":"2"} -> error: asked b | "Error: asked b")",
                     R"(finished Look#c{"n":"3"} -> ok: Look 3)"}));
}

TEST(ToolRunner, AnswersInputThatDoesNotFit) {
  Scene scene;
  const Strings finished = scene.run({call_with("Look", "a", R"({"n":1,"m":2})")});
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_EQ(
      finished[0].substr(0, finished[0].find(" | ")),
      "a a Look error: <tool_use_error>InputValidationError: Look failed due to the "
      "following issues:\nThe parameter `n` must be a string\nAn unexpected parameter `m` was "
      "provided</tool_use_error>");
  EXPECT_EQ(scene.journal.notes(), Strings{});
}

TEST(ToolRunner, AnswersInputThatIsNestedTooDeep) {
  Scene scene;
  const std::string deep = std::string(100, '[') + std::string(100, ']');
  const Strings finished = scene.run({call_with("Look", "a", R"({"n":)" + deep + "}")});
  ASSERT_EQ(finished.size(), 1U);
  EXPECT_NE(finished[0].find("was called with unusable input: JSON nested deeper than 64"),
            std::string::npos);
  EXPECT_EQ(scene.sink.events().front(), "call Look#a{}");
}

TEST(ToolRunner, AnswersWithoutRunningWhenToldTo) {
  Scene scene;
  const auto refused = scene.runner.refuse({call("Change", "a", "1"), call("Look", "b", "2")},
                                           "too long", scene.sink);
  ASSERT_EQ(refused.size(), 2U);
  EXPECT_EQ(refused[1].provider.id, "b");
  EXPECT_EQ(scene.sink.events(),
            (Strings{R"(call Change#a{"n":"1"})",
                     R"(finished Change#a{"n":"1"} -> error: too long | "Error: too long")",
                     R"(call Look#b{"n":"2"})",
                     R"(finished Look#b{"n":"2"} -> error: too long | "Error: too long")"}));
}

TEST(ToolRunner, KeepsHugeNamesOutOfTheLines) {
  Scene scene;
  const std::string huge(5'000'000, 'x');
  scene.run({call(huge, "b", "2")});
  EXPECT_EQ(scene.sink.events()[0], "call " + huge.substr(0, 256) + R"(#b{"n":"2"})");
  for (const std::string& event : scene.sink.events()) EXPECT_LT(event.size(), 2000U);
}

TEST(ToolRunner, AnswersACallThatThrows) {
  Scene scene([](const std::string&, const tools::ToolContext&) -> core::ToolOutcome {
    throw std::runtime_error("boom");
  });
  EXPECT_EQ(scene.run({call("Look", "a", "1"), call("Change", "b", "2")}),
            (Strings{"a a Look error: Internal error: boom", "b b Change ok: Change 2"}));
  EXPECT_EQ(scene.sink.events()[1], R"(finished Look#a{"n":"1"} -> error: Internal error: boom | )"
                                    R"("Error: Internal error: boom")");
}

TEST(ToolRunner, AnswersTheRestAsInterruptedAfterACancel) {
  CancelSource* cancel = nullptr;
  Scene scene({}, [&cancel](const std::string& n, const tools::ToolContext&) {
    cancel->request_stop();
    return core::ToolOutcome{.is_error = true, .content = "stopped " + n, .details = {}};
  });
  cancel = &scene.world.cancel;
  const std::string not_run =
      "error: The tool call was not run because the user interrupted the turn.";
  EXPECT_EQ(scene.run({call("Look", "a", "1"), call("Change", "b", "2"), call("Change", "c", "3"),
                       call("Look", "d", "4")}),
            (Strings{"a a Look ok: Look 1", "b b Change error: stopped 2", "c c Change " + not_run,
                     "d d Look " + not_run}));
  int calls = 0;
  int answers = 0;
  for (const std::string& event : scene.sink.events()) {
    calls += event.starts_with("call ") ? 1 : 0;
    answers += event.starts_with("finished ") ? 1 : 0;
  }
  EXPECT_EQ(calls, 4);
  EXPECT_EQ(answers, 4);
}

}  // namespace
}  // namespace yume::agent
