// SPDX-License-Identifier: MIT
// Hooks around calls, prompts and turns, with real commands.
#include "hooks/hook_runner.h"

#include <gtest/gtest.h>

#include <string>

#include "support/hook_scene.h"

namespace yume::hooks {
namespace {

using namespace std::chrono_literals;

// An answer in JSON by a command.
std::string says(const std::string& json) {
  return "echo '" + json + "'";
}

std::string specific(const std::string& event, const std::string& members) {
  return R"({"hookSpecificOutput":{"hookEventName":")" + event + "\"," + members + "}}";
}

core::ToolOutcome outcome(const std::string& text, bool is_error = false) {
  core::ToolOutcome made;
  made.content = text;
  made.is_error = is_error;
  return made;
}

class CallHooks : public HookScene {
 protected:
  core::CallAdvice before(const Strings& texts) {
    auto hooks = runner(commands(texts, core::HookEvent::pre_tool_use));
    return hooks.before_call(call_, sink_, cancel_.get_token());
  }
  core::ResultAdvice after(const Strings& texts, const core::ToolOutcome& brought) {
    HookSettings settings = commands(texts, core::HookEvent::post_tool_use);
    settings.commands[core::HookEvent::post_tool_use_failure] =
        settings.commands[core::HookEvent::post_tool_use];
    auto hooks = runner(std::move(settings));
    return hooks.after_call({.call = call_, .outcome = brought, .duration = 7ms}, sink_,
                            cancel_.get_token());
  }
  std::string told() const {
    const std::string all = file("input");
    return all.substr(all.find("\"hook_event_name\""));
  }

  core::ToolCall call_{.id = "toolu_1", .name = "Write", .input = {R"({"file_path":"/x"})"}};
};

using Permission = core::CallAdvice::Permission;

TEST_F(CallHooks, AreToldWhatWouldRun) {
  before({"cat > input"});
  EXPECT_EQ(told(), R"("hook_event_name":"PreToolUse","tool_name":"Write",)"
                    R"("tool_input":{"file_path":"/x"},"tool_use_id":"toolu_1"})"
                    "\n");
}

TEST_F(CallHooks, MatchTheToolsName) {
  HookSettings settings;
  for (const char* matcher : {"Write|Edit", "Wri", "W.*e", "Read"}) {
    settings.commands[core::HookEvent::pre_tool_use].push_back(
        {.matcher = Matcher::parse(matcher).value(),
         .command = "echo '" + std::string(matcher) + "' >> matched"});
  }
  auto hooks = runner(std::move(settings));
  hooks.before_call(call_, sink_, cancel_.get_token());
  EXPECT_EQ(file("matched"), "Write|Edit\nW.*e\n");
}

TEST_F(CallHooks, TheStrictestWordCounts) {
  const std::string allow = says(
      specific("PreToolUse", R"("permissionDecision":"allow","permissionDecisionReason":"a")"));
  const std::string ask =
      says(specific("PreToolUse", R"("permissionDecision":"ask","permissionDecisionReason":"b")"));
  const std::string deny =
      says(specific("PreToolUse", R"("permissionDecision":"deny","permissionDecisionReason":"c")"));
  EXPECT_EQ(before({"true"}).permission, Permission::unsaid);
  EXPECT_EQ(before({allow}).permission, Permission::allow);
  EXPECT_EQ(before({says(R"({"decision":"approve"})")}).permission, Permission::allow);
  EXPECT_EQ(before({ask, allow}).permission, Permission::ask);
  const core::CallAdvice denied = before({deny, ask, allow});
  EXPECT_EQ(denied.permission, Permission::deny);
  EXPECT_EQ(denied.reason, "PreToolUse:Write hook error: c");
  EXPECT_EQ(before({allow, "echo no >&2; exit 2"}).reason,
            "PreToolUse:Write hook error: [echo no >&2; exit 2]: no");
  EXPECT_EQ(before({says(R"({"decision":"block","reason":"old form"})")}).reason,
            "PreToolUse:Write hook error: old form");
}

TEST_F(CallHooks, MayChangeTheInputAndAddForTheModel) {
  const core::CallAdvice advice =
      before({says(specific("PreToolUse",
                            R"("updatedInput":{"b":1,"a":2},"additionalContext":"careful")")),
              "true"});
  ASSERT_TRUE(advice.input);
  EXPECT_EQ(advice.input->text, R"({"b":1,"a":2})");
  EXPECT_EQ(advice.context, "PreToolUse:Write hook additional context: careful");
  EXPECT_EQ(advice.permission, Permission::unsaid);
}

TEST_F(CallHooks, MayEndTheTurn) {
  const core::CallAdvice advice = before({says(R"({"continue":false,"stopReason":"enough"})")});
  EXPECT_TRUE(advice.ends_turn);
  EXPECT_EQ(advice.permission, Permission::deny);
  EXPECT_EQ(advice.reason, "PreToolUse:Write hook error: enough");
}

TEST_F(CallHooks, ABrokenOneDeniesOnlyWhenItWasRegisteredSo) {
  EXPECT_EQ(before({"exit 7"}).permission, Permission::unsaid);
  HookSettings settings = commands({"exit 7"}, core::HookEvent::pre_tool_use);
  settings.commands[core::HookEvent::pre_tool_use][0].on_failure = core::OnHookFailure::block;
  auto hooks = runner(std::move(settings));
  EXPECT_EQ(hooks.before_call(call_, sink_, cancel_.get_token()).permission, Permission::deny);
}

TEST_F(CallHooks, AreToldWhatCameOfACall) {
  after({"cat > input"}, outcome("done"));
  EXPECT_EQ(told(), R"("hook_event_name":"PostToolUse","tool_name":"Write",)"
                    R"("tool_input":{"file_path":"/x"},"tool_response":{"said":"done"},)"
                    R"("tool_use_id":"toolu_1","duration_ms":7})"
                    "\n");
  after({"cat > input"}, outcome("no such file", true));
  EXPECT_EQ(told(), R"("hook_event_name":"PostToolUseFailure","tool_name":"Write",)"
                    R"("tool_input":{"file_path":"/x"},"error":"no such file",)"
                    R"("is_interrupt":false,"tool_use_id":"toolu_1","duration_ms":7})"
                    "\n");
}

TEST_F(CallHooks, TellTheModelAfterwards) {
  const auto advice = after({"echo format it >&2; exit 2",
                             says(specific("PostToolUse", R"("additionalContext":"2 warnings")"))},
                            outcome("done"));
  EXPECT_EQ(advice.context,
            "PostToolUse:Write hook blocking error: [echo format it >&2; exit 2]: format it\n\n"
            "PostToolUse:Write hook additional context: 2 warnings");
  EXPECT_FALSE(advice.ends_turn);
  EXPECT_TRUE(after({says(R"({"continue":false})")}, outcome("done")).ends_turn);
}

TEST_F(CallHooks, MayAnswerInTheUsersPlace) {
  const auto answer = [this](const Strings& texts) {
    auto hooks = runner(commands(texts, core::HookEvent::permission_request));
    return hooks.may_run({.call = call_}, sink_, cancel_.get_token());
  };
  const std::string allow = says(specific(
      "PermissionRequest", R"("decision":{"behavior":"allow","updatedInput":{"file_path":"/y"}})"));
  const std::string deny =
      says(specific("PermissionRequest",
                    R"("decision":{"behavior":"deny","message":"not here","interrupt":true})"));
  EXPECT_EQ(answer({"true"}), std::nullopt);
  EXPECT_EQ(answer({allow}),
            core::HostAnswer(core::HostAllows{.input = RawJson{R"({"file_path":"/y"})"}}));
  EXPECT_EQ(answer({allow, deny}),
            core::HostAnswer(core::HostDenies{.message = "not here", .interrupt = true}));
  EXPECT_EQ(answer({deny, allow}),
            core::HostAnswer(core::HostDenies{.message = "not here", .interrupt = true}));
}

TEST_F(CallHooks, HearOfAQuestion) {
  auto hooks = runner(commands({"cat > input"}, core::HookEvent::notification));
  hooks.on_question({.call = call_}, sink_, cancel_.get_token());
  EXPECT_EQ(told(), R"("hook_event_name":"Notification",)"
                    R"("message":"Claude needs your permission to use Write",)"
                    R"("notification_type":"permission_prompt"})"
                    "\n");
}

TEST_F(CallHooks, OfAFolderRunBehindTheWall) {
  HookSettings settings = commands({"true", "true"}, core::HookEvent::pre_tool_use);
  settings.commands[core::HookEvent::pre_tool_use][1].is_of_folder = true;
  int walled = 0;
  SessionFacts facts;
  facts.mode = [] { return core::PermissionMode::plan; };
  HookRunner hooks(std::move(settings), facts,
                   {.processes = *processes_,
                    .host = host_,
                    .redactor = redactor_,
                    .cwd = directory_.path(),
                    .environment = {"PATH=/usr/bin:/bin"},
                    .put_behind_wall = [&walled](platform::ProcessSpec&) { ++walled; }});
  hooks.before_call(call_, sink_, cancel_.get_token());
  EXPECT_EQ(walled, 1);
}

class TurnHooks : public HookScene {};

TEST_F(TurnHooks, MayStopAPromptOrAddToIt) {
  const auto ask_about = [this](const Strings& texts) {
    auto hooks = runner(commands(texts, core::HookEvent::user_prompt_submit));
    return hooks.before_prompt("hello", sink_, cancel_.get_token());
  };
  EXPECT_EQ(ask_about({"cat > input; echo today is Monday"}).context, "today is Monday");
  EXPECT_NE(file("input").find(R"("hook_event_name":"UserPromptSubmit","prompt":"hello"})"),
            std::string::npos);
  EXPECT_EQ(ask_about({"true"}).veto, std::nullopt);
  EXPECT_EQ(ask_about({says(R"({"decision":"block","reason":"no secrets"})")}).veto, "no secrets");
  EXPECT_EQ(ask_about({"exit 2"}).veto, "[exit 2]: no reason given");
  EXPECT_EQ(ask_about({says(R"({"continue":false,"stopReason":"closed"})")}).veto, "closed");
}

TEST_F(TurnHooks, MaySendTheModelOn) {
  const auto end = [this](const Strings& texts, bool again) {
    auto hooks = runner(commands(texts, core::HookEvent::stop));
    return hooks.before_end({.text = "done", .was_sent_on = again}, sink_, cancel_.get_token());
  };
  EXPECT_EQ(end({"cat > input"}, true), std::nullopt);
  EXPECT_NE(file("input").find(R"("hook_event_name":"Stop","stop_hook_active":true,)"
                               R"("last_assistant_message":"done","background_tasks":[],)"
                               R"("session_crons":[]})"),
            std::string::npos);
  const std::string block = says(R"({"decision":"block","reason":"run the tests"})");
  EXPECT_EQ(end({block, "true", block}, false),
            "Stop hook feedback:\nrun the tests\n\nrun the tests");
  EXPECT_EQ(end({block, says(R"({"continue":false})")}, false), std::nullopt);
}

TEST_F(TurnHooks, AreToldThatASessionBeginsAndEnds) {
  HookSettings settings =
      commands({"cat > input; echo on branch main"}, core::HookEvent::session_start);
  settings.append(commands({"cat > ended", "sleep 600"}, core::HookEvent::session_end));
  auto hooks = runner(std::move(settings));
  EXPECT_EQ(hooks.session_started(core::SessionSource::resume, sink_, cancel_.get_token()),
            "on branch main");
  EXPECT_NE(file("input").find(R"("hook_event_name":"SessionStart","source":"resume"})"),
            std::string::npos);
  EXPECT_EQ(sink_.events(), (Strings{"hook started SessionStart:resume",
                                     "hook ended SessionStart:resume success: on branch main\n"}));
  hooks.session_ended("other", cancel_.get_token());  // comes back, whatever they do
  EXPECT_NE(file("ended").find(R"("hook_event_name":"SessionEnd","reason":"other"})"),
            std::string::npos);
}

}  // namespace
}  // namespace yume::hooks
