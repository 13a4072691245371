// SPDX-License-Identifier: MIT
#include "session/subagents/subagents.h"

#include "session/subagents/agent_catalog.h"
#include "support/event_text.h"
#include "support/session_services.h"
#include "support/tool_world.h"
#include "util/thread.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <latch>
#include <mutex>

namespace yume::session {
namespace {

using Strings = std::vector<std::string>;

// Does what the prompt says.
class ObedientStrategy final : public test::SimpleStrategy {
 public:
  explicit ObedientStrategy(std::latch& all_work) : all_work_(all_work) {}

  core::TurnDone run(strategies::TurnInput input, core::TurnPort& port,
                     const CancelToken& cancel) override {
    const std::string task = input.message.text();
    core::TurnDone done;
    if (task == "meet") all_work_.arrive_and_wait();
    if (task == "wait") {
      std::mutex mutex;
      std::unique_lock lock(mutex);
      Condition never;
      never.wait(lock, cancel, [] { return false; });
      done.outcome = core::TurnOutcome::interrupted;
      return done;
    }
    if (task == "throw") throw std::runtime_error("broken");
    if (task == "fail") {
      done.outcome = core::TurnOutcome::failed;
      done.text = "no server";
      return done;
    }
    port.post(core::TextDelta{"words"});
    port.post(core::ToolCallReady{.call = {.id = "c", .name = "Read", .input = {"{}"}}});
    done.text = "report on " + task;
    return done;
  }
  core::UsageByModel usage() const override {
    return {{"m", {.usage = {.prompt_tokens = 10}, .cost_usd = 0.5}}};
  }

 private:
  std::latch& all_work_;
};

class NotedHost final : public core::HostPort {
 public:
  bool post(core::Envelope envelope) override {
    const std::lock_guard lock(mutex_);
    addresses.push_back(envelope.address.parent_call_id);
    events.push_back(std::move(envelope.event));
    return true;
  }
  bool flush(const CancelToken&) override { return true; }
  bool can_be_asked() const override { return false; }
  Result<core::HostAnswer> ask(const core::Address&, core::HostQuestion,
                               std::optional<std::chrono::milliseconds>,
                               const CancelToken&) override {
    return Error{.code = ErrorCode::io, .message = "nobody"};
  }

  template <class Kind>
  std::vector<Kind> all() const {
    std::vector<Kind> found;
    for (const core::Event& event : events) {
      if (const auto* one = std::get_if<Kind>(&event)) found.push_back(*one);
    }
    return found;
  }

  Strings addresses;
  std::vector<core::Event> events;

 private:
  std::mutex mutex_;
};

struct Scene {
  explicit Scene(std::ptrdiff_t working = 1) : all_work(working) {
    services.services().make_strategy = [this](core::Conversation, strategies::StrategyDeps) {
      return std::make_unique<ObedientStrategy>(all_work);
    };
    subagents = std::make_unique<Subagents>(
        ParentSession{.spec = spec,
                      .services = services.services(),
                      .host = host,
                      .session_id = "S",
                      .session_file = {},
                      .head = {.session_id = "S", .cwd = "/w", .version = "1"},
                      .long_outputs = {},
                      .policy = policy,
                      .tools = tools,
                      .shell = shell,
                      .host_hooks = [] { return std::vector<core::HostHookGroup>{}; }});
  }

  AgentOrder order(const std::string& task) const {
    return {.definition = built_in_agents().front(), .description = "d", .prompt = task};
  }
  core::ToolOutcome work(const AgentOrder& order, const CancelToken& cancel = {}) {
    tools::ToolContext context = world.context();
    context.cancel = cancel;
    context.call_id = "call";
    return subagents->work(order, context);
  }

  std::latch all_work;
  ObedientStrategy unused{all_work};
  test::SessionServices services{unused};
  config::SessionSpec spec = test::SessionServices::plain_spec();
  NotedHost host;
  permissions::ModePolicy policy{permissions::PolicySettings{}};
  tools::Registry tools = tools::make_builtin_tools();
  tools::Shell shell;
  test::ToolWorld world;
  std::unique_ptr<Subagents> subagents;
};

TEST(Subagents, BringBackAReport) {
  Scene scene;
  const core::ToolOutcome outcome = scene.work(scene.order("a task"));
  EXPECT_FALSE(outcome.is_error);
  EXPECT_EQ(outcome.content, "report on a task");
  const auto& details = std::get<core::AgentFinished>(outcome.details);
  EXPECT_EQ(details.type, "general-purpose");
  EXPECT_EQ(details.prompt, "a task");
  EXPECT_EQ(details.calls, 1);
  EXPECT_EQ(scene.subagents->usage().at("m").usage.prompt_tokens, 10);
}

TEST(Subagents, TellTheHostUnderTheAddressOfTheCall) {
  Scene scene;
  scene.work(scene.order("a task"));
  // Its words are its own; what it calls is shown.
  ASSERT_EQ(scene.host.addresses, (Strings{"", "call", "", ""}));
  EXPECT_EQ(scene.host.all<core::AgentStarted>().size(), 1U);
  EXPECT_EQ(scene.host.all<core::ToolCallReady>().size(), 1U);
  EXPECT_EQ(scene.host.all<core::AgentProgress>().front().last_tool, "Read");
  EXPECT_EQ(scene.host.all<core::AgentEnded>().front().status, core::BackgroundStatus::completed);
}

TEST(Subagents, FailAsOutcomesForTheModel) {
  Scene scene;
  EXPECT_EQ(scene.work(scene.order("fail")).content, "The agent ended without a report: no server");
  EXPECT_TRUE(scene.work(scene.order("throw")).is_error);
  EXPECT_EQ(scene.host.all<core::AgentEnded>().size(), 2U);
}

TEST(Subagents, WorkSideBySide) {
  Scene scene(3);
  std::vector<Thread> callers;
  for (int i = 0; i < 3; ++i) {
    callers.emplace_back([&scene] { EXPECT_FALSE(scene.work(scene.order("meet")).is_error); });
  }
  callers.clear();
  EXPECT_EQ(scene.subagents->usage().at("m").usage.prompt_tokens, 30);
}

TEST(Subagents, EndWithTheTurn) {
  Scene scene;
  CancelSource turn;
  turn.request_stop();
  EXPECT_EQ(scene.work(scene.order("wait"), turn.get_token()).content,
            "The agent was stopped because the user interrupted it.");
}

TEST(Subagents, ReportFromTheBackground) {
  Scene scene;
  AgentOrder order = scene.order("a task");
  order.in_background = true;
  const core::ToolOutcome outcome = scene.work(order);
  EXPECT_TRUE(outcome.content.starts_with("Async agent launched successfully"));
  const std::string id = std::get<core::AgentLaunched>(outcome.details).agent_id;
  scene.subagents->wait_for_end(id, std::chrono::minutes(1), {});
  const auto view = scene.subagents->look(id);
  ASSERT_TRUE(view);
  EXPECT_EQ(view->status, core::BackgroundStatus::completed);
  EXPECT_EQ(view->report, "report on a task");
  EXPECT_TRUE(scene.subagents->has_news());
  EXPECT_EQ(scene.subagents->take_end_reports().size(), 1U);
  EXPECT_TRUE(scene.subagents->take_end_reports().empty());
}

TEST(Subagents, AreStoppedByTheirIdAndBounded) {
  Scene scene;
  AgentOrder order = scene.order("wait");
  order.in_background = true;
  Strings ids;
  for (std::size_t i = 0; i < Subagents::k_most_in_background; ++i) {
    ids.push_back(std::get<core::AgentLaunched>(scene.work(order).details).agent_id);
  }
  EXPECT_TRUE(scene.work(order).is_error);
  EXPECT_TRUE(scene.subagents->stop(ids.front()));
  scene.subagents->wait_for_end(ids.front(), std::chrono::minutes(1), {});
  EXPECT_EQ(scene.subagents->look(ids.front())->status, core::BackgroundStatus::killed);
  EXPECT_FALSE(scene.subagents->stop(ids.front()));
  EXPECT_FALSE(scene.subagents->has_news());  // who stopped it knows
  EXPECT_FALSE(scene.work(order).is_error);
}  // the others are stopped with the session

TEST(AgentTools, AreThoseOfTheParentThatTheDefinitionLeaves) {
  tools::Registry parents = tools::make_builtin_tools();
  parents.remove("Bash");
  core::AgentDefinition agent{.name = "a", .description = "", .prompt = ""};
  agent.tools = Strings{"Read", "Bash", "Agent"};
  EXPECT_EQ(child_tools(agent, parents).names(), Strings{"Read"});
}

TEST(AgentCatalog, TakesTheLaterOfTwoAndLeavesOutTheDenied) {
  test::MemoryFileSystem files;
  config::AgentSpec spec;
  spec.given = {{.name = "Plan", .description = "ours", .prompt = "p"}};
  permissions::RuleSet rules;
  rules.deny = {{.tool = "Agent", .spec = "Explore"}};
  AgentCatalog catalog(spec, "/w", rules, files);
  EXPECT_EQ(catalog.agents()->names(), (Strings{"general-purpose", "Plan"}));
  EXPECT_EQ(catalog.agents()->find("Plan")->description, "ours");
  catalog.set_host_agents({{.name = "Plan", .description = "the host's", .prompt = "q"}});
  EXPECT_EQ(catalog.summaries().back(),
            (core::AgentSummary{.name = "Plan", .description = "the host's"}));
}

}  // namespace
}  // namespace yume::session
