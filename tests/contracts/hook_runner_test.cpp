// SPDX-License-Identifier: MIT
// Hooks with real commands: what they are told, what they can say, and that they cannot hold up a
// turn that is interrupted.
#include "hooks/hook_runner.h"

#include <gtest/gtest.h>

#include <string>
#include <thread>

#include "support/hook_scene.h"
#include "util/thread.h"

namespace yume::hooks {
namespace {

using namespace std::chrono_literals;

class HookRunnerTest : public HookScene {
 protected:
  core::CompactionAdvice ask(HookRunner& hooks, core::PlannedCompaction plan = {}) {
    return hooks.before_compaction(plan, sink_, cancel_.get_token());
  }
};

TEST_F(HookRunnerTest, TellsACommandWhereItIsAndWhatIsPlanned) {
  auto hooks = runner(commands({"cat > input; env | sort > environment; pwd > where"}));
  ask(hooks, {.trigger = core::CompactionTrigger::manual, .instructions = "names \"first\""});
  EXPECT_EQ(file("input"),
            R"({"session_id":"s-1","transcript_path":"/t/s-1.jsonl","cwd":")" +
                directory_.path().string() +
                R"(","permission_mode":"plan","hook_event_name":"PreCompact","trigger":"manual",)"
                R"("custom_instructions":"names \"first\""})"
                "\n");
  EXPECT_EQ(file("where"), directory_.path().string() + "\n");
  EXPECT_NE(file("environment").find("CLAUDE_PROJECT_DIR=" + directory_.path().string() + "\n"),
            std::string::npos);
  EXPECT_NE(file("environment").find("COLOUR=red\n"), std::string::npos);
  ask(hooks);
  EXPECT_NE(file("input").find(R"("trigger":"auto","custom_instructions":null})"),
            std::string::npos);
}

TEST_F(HookRunnerTest, PutsTogetherWhatAllSay) {
  auto hooks = runner(commands({"echo one", "true", "echo two"}));
  const auto advice = ask(hooks);
  EXPECT_EQ(advice.instructions, "one\n\ntwo");
  EXPECT_EQ(advice.veto, std::nullopt);
  EXPECT_EQ(sink_.events(), Strings{});
}

TEST_F(HookRunnerTest, OneVetoIsEnoughAndTheOthersAreHeardAllTheSame) {
  auto hooks = runner(commands({"exit 2", "echo other >&2; exit 2", "touch asked"}));
  EXPECT_EQ(ask(hooks).veto, "no reason given");
  EXPECT_TRUE(std::filesystem::exists(directory_.path() / "asked"));
}

TEST_F(HookRunnerTest, AFailureIsToldAndStopsNothingUnlessItShall) {
  HookSettings settings = commands({"exit 7", "sleep 600"});
  settings.commands[core::HookEvent::pre_compact][1].timeout = 1ms;
  auto hooks = runner(settings);
  EXPECT_EQ(ask(hooks).veto, std::nullopt);
  EXPECT_EQ(sink_.events(),
            (Strings{"notice The PreCompact:auto [exit 7] hook failed: it ended with exit code 7. "
                     "Went on without it.",
                     "notice The PreCompact:auto [sleep 600] hook failed: it took too long, and "
                     "was stopped. Went on without it."}));
  settings.commands[core::HookEvent::pre_compact][0].on_failure = core::OnHookFailure::block;
  auto strict = runner(settings);
  EXPECT_EQ(ask(strict).veto,
            "The PreCompact:auto [exit 7] hook failed: it ended with exit code 7");
}

TEST_F(HookRunnerTest, ShowsNoSecretAndNotMoreThanAnybodyReads) {
  redactor_.learn("a-secret-that-is-long-enough");
  auto hooks = runner(
      commands({"echo a-secret-that-is-long-enough", "head -c 10000000 /dev/zero | tr '\\0' x"}));
  const auto advice = ask(hooks);
  EXPECT_EQ(advice.instructions.substr(0, 14), "[redacted]\n\nxx");
  EXPECT_EQ(advice.instructions.size(), 10'000U);
}

TEST_F(HookRunnerTest, ShowsNoSecretThatAHostOrJsonBringsBack) {
  redactor_.learn("a-secret-that-is-long-enough");
  auto hooks =
      runner(commands({R"(echo '{"systemMessage":"a\u002dsecret-that-is-long-enough"}')"}));
  hooks.register_host_hooks({{.event = "PreCompact", .callback_ids = {"a"}}});
  host_.answers = {RawJson{R"({"decision":"block","reason":"a-secret-that-is-long-enough",)"
                           R"("hookSpecificOutput":)"
                           R"({"additionalContext":"a-secret-that-is-long-enough"}})"}};
  const auto advice = ask(hooks);
  EXPECT_EQ(advice.veto, "[redacted]");
  EXPECT_EQ(advice.instructions, "[redacted]");
  EXPECT_EQ(sink_.events(), Strings{"notice [redacted]"});
}

TEST_F(HookRunnerTest, AnInterruptEndsACommandAndAsksNoOther) {
  auto hooks = runner(commands({"touch started; sleep 600", "touch wrong"}), true);
  Thread interrupter([this](const CancelToken& over) {
    while (!over.stop_requested() && !std::filesystem::exists(directory_.path() / "started")) {
      std::this_thread::yield();
    }
    cancel_.request_stop();
  });
  EXPECT_EQ(ask(hooks).veto, std::nullopt);
  EXPECT_FALSE(std::filesystem::exists(directory_.path() / "wrong"));
  EXPECT_EQ(sink_.events(),
            (Strings{"hook started PreCompact:auto", "hook ended PreCompact:auto cancelled: "}));
}

TEST_F(HookRunnerTest, CallsTheHostBehindTheCommands) {
  auto hooks = runner(commands({"echo one"}));
  hooks.register_host_hooks(
      {{.event = "PreCompact", .callback_ids = {"a", "b"}},
       {.event = "PreCompact", .matcher = "manual", .callback_ids = {"c"}, .timeout = 5s}});
  host_.answers = {RawJson{"{}"}, RawJson{R"({"systemMessage":"saved"})"}};
  EXPECT_EQ(ask(hooks).instructions, "one");
  EXPECT_EQ(host_.calls, (Strings{"a 60000", "b 60000"}));
  EXPECT_NE(host_.inputs[0].find(R"("hook_event_name":"PreCompact")"), std::string::npos);
  EXPECT_EQ(sink_.events(), Strings{"notice saved"});

  host_.answers = {Error{.message = "gone"}, RawJson{"{}"},
                   RawJson{R"({"decision":"block","reason":"no"})"}};
  EXPECT_EQ(ask(hooks, {.trigger = core::CompactionTrigger::manual}).veto, "no");
  EXPECT_EQ(host_.calls.back(), "c 5000");
}

TEST_F(HookRunnerTest, LeavesOutTheHostsHooksThatAreNotServed) {
  auto hooks = runner({});
  const core::HostHookGroup other_event{.event = "TeammateIdle", .callback_ids = {"a"}};
  const core::HostHookGroup bad_matcher{
      .event = "PreCompact", .matcher = "(", .callback_ids = {"b"}};
  const core::HostHookGroup served{.event = "PreCompact", .matcher = "auto"};
  EXPECT_EQ(events_not_served({other_event, served, bad_matcher}, true),
            (Strings{"TeammateIdle", "PreCompact"}));
  EXPECT_EQ(events_not_served({served}, false), Strings{"PreCompact"});
  EXPECT_EQ(without_mere_reports({"PostCompact", "TeammateIdle", "TaskCreated"}),
            Strings{"TeammateIdle"});
  hooks.register_host_hooks({other_event, bad_matcher});
  EXPECT_EQ(ask(hooks).veto, std::nullopt);
  EXPECT_EQ(host_.calls, Strings{});
}

}  // namespace
}  // namespace yume::hooks
