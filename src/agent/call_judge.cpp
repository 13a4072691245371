// SPDX-License-Identifier: MIT
#include "agent/call_judge.h"

#include "agent/guarded_work.h"
#include "tools/args.h"
#include "tools/text_file.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

#include <utility>

namespace yume::agent {
namespace {

using Permission = core::CallAdvice::Permission;

constexpr std::string_view k_closed =
    "Tool permission request failed: AbortError: Tool permission stream closed before response "
    "received";

CallAnswered denied(std::string message, Denial denial) {
  return {.outcome = tools::failed_running(std::move(message)), .denial = denial};
}

// Reads the input anew: it is not the model's.
tools::Plan plan_again(const JudgedCall& judged, const RawJson& input,
                       const tools::ToolContext& context) {
  return judged.tool->plan(read_json(input.text), context);
}

}  // namespace

CallJudge::CallJudge(permissions::PermissionPolicy& policy, core::Hooks& hooks,
                     const Redactor& redactor, core::Questions* host)
    : policy_(policy), hooks_(hooks), redactor_(redactor), host_(host) {}

JudgedCall CallJudge::plan(AskedCall asked, const tools::Tool* tool,
                           const tools::ToolContext& context) {
  tools::CallInput& input = asked.input;
  JudgedCall judged{.call = {.id = std::move(asked.id), .name = shown_name(asked), .input = {"{}"}},
                    .provider = std::move(asked.provider),
                    .tool = tool};
  if (tool == nullptr) {
    judged.call.input = std::move(input.given);
    judged.state =
        CallAnswered{tools::refused_input("Error: No such tool available: " + judged.call.name)};
    return judged;
  }
  judged.call.name = tool->spec().name;
  if (input.fields == nullptr) {
    judged.state =
        CallAnswered{tools::refused_input("InputValidationError: " + judged.provider.name +
                                          " was called with unusable input: " + input.problem)};
    return judged;
  }
  judged.call.input = input.renamed ? *std::move(input.renamed) : std::move(input.given);
  tools::Plan plan = tool->plan(*input.fields, context);
  if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) {
    judged.state = CallAnswered{std::move(*outcome)};
  } else {
    judged.state = CallPlanned{std::get<tools::PlannedCall>(std::move(plan))};
  }
  return judged;
}

void CallJudge::settle(JudgedCall& judged, Round& round) {
  if (!std::holds_alternative<CallPlanned>(judged.state)) return;
  tools::PlannedCall planned = std::get<CallPlanned>(std::move(judged.state)).planned;
  core::CallAdvice advice;
  if (!round.stopped && !round.context.cancel.stop_requested()) {
    advice = hooks_.before_call(judged.call, round.sink, round.context.cancel);
  }
  judged.context = std::move(advice.context);
  judged.ends_turn = advice.ends_turn;
  if (advice.permission == Permission::deny) {
    judged.state = denied(std::move(advice.reason), Denial::by_hook);
    return;
  }
  if (advice.input) {
    judged.input = std::move(advice.input);
    tools::Plan plan = plan_again(judged, *judged.input, round.context);
    if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) {
      judged.state = CallAnswered{std::move(*outcome)};
      return;
    }
    planned = std::get<tools::PlannedCall>(std::move(plan));
  }
  judged.state = decide(std::move(planned), judged, advice);
  if (std::holds_alternative<CallQuestion>(judged.state)) ask(judged, round);
}

CallState CallJudge::decide(tools::PlannedCall planned, const JudgedCall& judged,
                            const core::CallAdvice& advice) const {
  return std::visit(
      Overloaded{
          [&](const core::Allow& allow) -> CallState {
            if (advice.permission == Permission::ask) {
              return CallQuestion{
                  std::move(planned), {.message = advice.reason, .why = advice.reason}, true};
            }
            return CallReady{std::move(planned), allow.steps};
          },
          [&](const core::Deny& deny) -> CallState {
            // A question that makes no sense now is the model's mistake, and nothing is forbidden.
            if (std::holds_alternative<core::AsksPerson>(planned.action)) {
              return CallAnswered{tools::refused_input(deny.message)};
            }
            return denied(deny.message, Denial::unasked);
          },
          [&](const core::Ask& ask) -> CallState {
            if (advice.permission == Permission::allow && ask.may_be_lifted) {
              return CallReady{std::move(planned)};
            }
            return CallQuestion{std::move(planned), ask, advice.permission == Permission::ask};
          },
      },
      policy_.decide(judged.current(), planned.action));
}

bool CallJudge::must_be_asked(const JudgedCall& judged, const core::Action& action) const {
  return std::holds_alternative<core::Ask>(policy_.decide(judged.current(), action));
}

bool CallJudge::may_read(const core::Action& action) const {
  const auto* write = std::get_if<core::WritesFile>(&action);
  return write != nullptr && std::holds_alternative<core::Allow>(policy_.decide(
                                 {.id = "", .name = "Read", .input = {"{}"}},
                                 core::ReadsFile{.path = write->path, .given = write->given}));
}

core::MayRun CallJudge::question_about(const JudgedCall& judged,
                                       const CallQuestion& question) const {
  core::MayRun may_run{
      .call = judged.current(),
      .needs_person = std::holds_alternative<core::AsksPerson>(question.planned.action),
      .still_needed = [this, &judged, &question] {
        return question.wanted_by_hook || must_be_asked(judged, question.planned.action);
      }};
  if (!may_run.needs_person) {
    may_run.reason = question.ask.message;
    may_run.why = question.ask.why;
  }
  // What is asked in every mode is asked every time.
  if (!question.ask.in_every_mode) may_run.suggestions = question.ask.suggestions;
  return may_run;
}

std::optional<core::ToolOutcome> CallJudge::add_change(const tools::PlannedCall& planned,
                                                       const tools::ToolContext& context,
                                                       core::MayRun& may_run) const {
  if (!host_->wants_changes() || !planned.preview) return std::nullopt;
  tools::Preview preview = guarded(planned.preview, context);
  if (auto* change = std::get_if<core::FileChange>(&preview)) {
    may_run.change = std::move(*change);
    return std::nullopt;
  }
  // Why it cannot be done may tell what a folder holds.
  if (!may_read(planned.action)) return std::nullopt;
  auto failure = std::get<core::ToolOutcome>(std::move(preview));
  clean(failure, redactor_);
  return failure;
}

void CallJudge::ask(JudgedCall& judged, Round& round) {
  auto question = std::get<CallQuestion>(std::move(judged.state));
  const CancelToken& cancel = round.context.cancel;
  if (round.stopped || cancel.stop_requested()) {
    judged.state = CallReady{std::move(question.planned)};  // answered as interrupted
    return;
  }
  core::MayRun may_run = question_about(judged, question);
  // No program answers for a person, nor lets what is asked for in every mode.
  if (!may_run.needs_person && !question.ask.in_every_mode) {
    if (const auto answer = hooks_.may_run(may_run, round.sink, cancel)) {
      judged.state = after_answer(judged, std::move(question), *answer, round);
      return;
    }
  }
  if (host_ == nullptr) {
    judged.state = denied(question.ask.message, Denial::unasked);
    return;
  }
  if (auto failure = add_change(question.planned, round.context, may_run)) {
    judged.state = CallAnswered{*std::move(failure)};
    return;
  }
  hooks_.on_question(may_run, round.sink, cancel);
  const Result<core::HostAnswer> answer = host_->ask(std::move(may_run), std::nullopt, cancel);
  if (answer.ok()) {
    judged.state = after_answer(judged, std::move(question), *answer, round);
  } else if (answer.error().code == ErrorCode::not_found) {  // permissions have changed meanwhile
    judged.state = decide(std::move(question.planned), judged, {});
    if (std::holds_alternative<CallQuestion>(judged.state)) ask(judged, round);
  } else {
    const bool closed = answer.error().code == ErrorCode::io;
    judged.state =
        denied(closed ? std::string(k_closed) : answer.error().message, Denial::after_question);
  }
}

CallState CallJudge::after_answer(JudgedCall& judged, CallQuestion question,
                                  const core::HostAnswer& answer, Round& round) {
  const auto failed = [&](const std::string& reason) {
    return reject({.message = "Tool permission request failed: " + reason}, round);
  };
  return std::visit(
      Overloaded{
          [&](const core::HostAllows& allows) {
            return allow(judged, std::move(question.planned), allows, round);
          },
          [&](const core::HostDenies& denies) {
            (void)apply_updates(denies.updates, round);
            return reject(denies, round);
          },
          [&](const core::HostFailed& failure) { return failed(failure.why); },
          [&](const core::HookReturned&) { return failed("the answer is no permission"); },
          [&](const core::McpAnswered&) { return failed("the answer is no permission"); },
          [&](const core::Elicited&) { return failed("the answer is no permission"); },
          [&](const core::HostFileText&) { return failed("the answer is no permission"); },
          [&](const core::HostFileWritten&) { return failed("the answer is no permission"); },
          [&](const core::HostTerminal&) { return failed("the answer is no permission"); },
      },
      answer);
}

CallState CallJudge::reject(const core::HostDenies& answer, Round& round) {
  round.stopped |= answer.interrupt;
  auto state =
      denied(answer.message, answer.interrupt ? Denial::with_turn : Denial::after_question);
  state.outcome.details = core::CallRejected{};
  return state;
}

// What the host wants from now on; the mode, if that is among it.
std::optional<core::PermissionMode> CallJudge::apply_updates(
    const std::vector<core::PermissionUpdate>& updates, Round& round) {
  std::optional<core::PermissionMode> mode;
  for (const core::PermissionUpdate& update : updates) {
    const permissions::UpdateOutcome outcome = policy_.apply(update);
    if (!outcome.problem.empty()) {
      round.sink.post(core::Notice{
          std::string("A permission that the host granted ") +
          (outcome.holds ? "holds in this session only: " : "has no effect: ") + outcome.problem});
    }
    if (!outcome.holds) continue;
    if (const auto* wanted = std::get_if<core::ModeUpdate>(&update)) mode = wanted->mode;
  }
  // Another call may wait for the answer that this one has just got.
  if (!updates.empty() && host_ != nullptr) host_->look_again();
  return mode;
}

// What the host wants from now on, and what a yes to this question means by itself.
void CallJudge::accept_updates(const core::HostAllows& answer, const core::Action& action,
                               Round& round) {
  std::optional<core::PermissionMode> mode = apply_updates(answer.updates, round);
  const auto* question = std::get_if<core::AsksPerson>(&action);
  if (!mode && question != nullptr && question->then) {
    mode = question->then;
    policy_.set_mode(*mode);
  }
  if (mode) round.sink.post(core::ModeChanged{*mode});
}

// A changed input is read and judged anew: what is denied stays denied.
CallState CallJudge::allow(JudgedCall& judged, tools::PlannedCall planned,
                           const core::HostAllows& answer, Round& round) {
  accept_updates(answer, planned.action, round);
  if (!answer.input || answer.input->text == judged.current().input.text) {
    return CallReady{std::move(planned)};
  }
  judged.input = answer.input;
  tools::Plan plan = plan_again(judged, *answer.input, round.context);
  if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) {
    return CallAnswered{std::move(*outcome)};
  }
  auto& changed = std::get<tools::PlannedCall>(plan);
  const core::Decision decision = policy_.decide(judged.current(), changed.action);
  if (const auto* deny = std::get_if<core::Deny>(&decision)) {
    return denied(deny->message, Denial::after_question);
  }
  // Whoever answered said yes to what it made of the call itself; but nobody has seen that this
  // would be asked for in every mode.
  if (const auto* ask = std::get_if<core::Ask>(&decision); ask != nullptr && ask->in_every_mode) {
    return denied(ask->message, Denial::after_question);
  }
  return CallReady{std::move(changed)};
}

}  // namespace yume::agent
