// SPDX-License-Identifier: MIT
#include "agent/tool_runner.h"

#include "agent/turn_notes.h"
#include "tools/args.h"
#include "tools/text_file.h"
#include "util/json_tree.h"
#include "util/overloaded.h"
#include "util/utf8.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace yume::agent {
namespace {

constexpr std::size_t k_max_workers = 8;
constexpr std::size_t k_longest_name = 256;
constexpr std::string_view k_closed =
    "Tool permission request failed: AbortError: Tool permission stream closed before response "
    "received";

void clean(core::ToolOutcome& outcome, const Redactor& redactor) {
  redactor.clean(outcome.content);
  redactor.clean(outcome.model_note);
  core::for_each_text(outcome.details, [&](std::string& text) { redactor.clean(text); });
}

// The model learns with its next results what has ended in the background meanwhile.
void add_news(const std::vector<std::string>& news, core::ToolOutcome& outcome) {
  for (const std::string& one : news) {
    outcome.model_note.append(outcome.model_note.empty() ? "" : "\n\n").append(as_reminder(one));
  }
}

core::ToolOutcome run_one(const tools::PlannedCall& planned, const tools::ToolContext& context,
                          bool stopped) {
  if (stopped || context.cancel.stop_requested()) {
    return tools::failed_running(
        "The tool call was not run because the user interrupted the turn.");
  }
  // The call still gets its one result.
  try {
    return planned.run(context);
  } catch (const std::bad_alloc&) {
    return tools::failed_running("Out of memory: this call needs more than there is.");
  } catch (const std::exception& failure) {
    return tools::failed_running(std::string("Internal error: ") + failure.what());
  }
}

CallAnswered denied(std::string message, Denial denial) {
  return {.outcome = tools::failed_running(std::move(message)), .denial = denial};
}

std::string shown_name(const AskedCall& asked) {
  return std::string(utf8_prefix(asked.provider.name, k_longest_name));
}

// Tells the host, which alone gets the details.
void post_finished(FinishedCall& finished, core::EventSink& sink) {
  if (finished.denial == Denial::unasked) {
    sink.post(core::PermissionRefused{finished.call, finished.outcome.content});
  }
  core::ToolDetails details = std::exchange(finished.outcome.details, {});
  core::ToolFinished event{.call = finished.call, .outcome = finished.outcome};
  event.outcome.details = std::move(details);
  sink.post(std::move(event));
}

}  // namespace

ToolRunner::ToolRunner(const tools::Registry& registry, permissions::PermissionPolicy& policy,
                       const Redactor& redactor, core::Questions* host)
    : registry_(registry), policy_(policy), redactor_(redactor), host_(host) {}

JudgedCall ToolRunner::judge(AskedCall asked, const tools::Tool* tool,
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
  judged.state = decide(tool->plan(*input.fields, context), judged.call);
  return judged;
}

CallState ToolRunner::decide(tools::Plan plan, const core::ToolCall& call) const {
  if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) {
    return CallAnswered{std::move(*outcome)};
  }
  auto& planned = std::get<tools::PlannedCall>(plan);
  return std::visit(Overloaded{
                        [&](const core::Allow& allow) -> CallState {
                          return CallReady{std::move(planned), allow.steps};
                        },
                        [&](const core::Deny& deny) -> CallState {
                          return denied(deny.message, Denial::unasked);
                        },
                        [&](const core::Ask& ask) -> CallState {
                          if (host_ == nullptr) return denied(ask.message, Denial::unasked);
                          return CallQuestion{std::move(planned), ask};
                        },
                    },
                    policy_.decide(call, planned.action));
}

bool ToolRunner::must_be_asked(const core::ToolCall& call, const core::Action& action) const {
  return std::holds_alternative<core::Ask>(policy_.decide(call, action));
}

// The call is announced already: a host shows what it is asked about.
void ToolRunner::ask(JudgedCall& judged, Round& round) {
  auto question = std::get<CallQuestion>(std::move(judged.state));
  if (stopped_ || round.context.cancel.stop_requested()) {
    judged.state = CallReady{std::move(question.planned)};  // answered as interrupted
    return;
  }
  const core::Action& action = question.planned.action;
  const bool needs_person = std::holds_alternative<core::AsksPerson>(action);
  const Result<core::HostAnswer> answer =
      host_->ask(core::MayRun{.call = judged.call,
                              .reason = needs_person ? "" : question.ask.message,
                              .needs_person = needs_person,
                              .suggestions = std::move(question.ask.suggestions),
                              .still_needed = [&] { return must_be_asked(judged.call, action); }},
                 std::nullopt, round.context.cancel);
  if (!answer.ok() && answer.error().code == ErrorCode::not_found) {
    judged.state = decide(std::move(question.planned), judged.call);
    if (std::holds_alternative<CallQuestion>(judged.state)) ask(judged, round);
    return;
  }
  if (!answer.ok()) {
    const bool closed = answer.error().code == ErrorCode::io;
    judged.state =
        denied(closed ? std::string(k_closed) : answer.error().message, Denial::after_question);
    return;
  }
  const auto failed = [&](const std::string& reason) {
    return reject({.message = "Tool permission request failed: " + reason});
  };
  judged.state = std::visit(
      Overloaded{
          [&](const core::HostAllows& allows) {
            return allow(judged, std::move(question.planned), allows, round);
          },
          [&](const core::HostDenies& denies) { return reject(denies); },
          [&](const core::HostFailed& failure) { return failed(failure.why); },
          [&](const core::HookReturned&) { return failed("the answer is no permission"); },
      },
      *answer);
}

CallState ToolRunner::reject(const core::HostDenies& answer) {
  stopped_ |= answer.interrupt;
  auto state =
      denied(answer.message, answer.interrupt ? Denial::with_turn : Denial::after_question);
  state.outcome.details = core::CallRejected{};
  return state;
}

// What the host wants from now on, and what a yes to this question means by itself.
void ToolRunner::apply_updates(const core::HostAllows& answer, const core::Action& action,
                               Round& round) {
  std::optional<core::PermissionMode> mode;
  for (const core::PermissionUpdate& update : answer.updates) {
    const permissions::UpdateOutcome outcome = policy_.apply(update);
    if (!outcome.problem.empty()) {
      round.sink.post(core::Notice{std::string("A permission that the host granted ") +
                                   (outcome.holds ? "holds in this session only: "
                                                  : "has no effect: ") +
                                   outcome.problem});
    }
    if (!outcome.holds) continue;
    if (const auto* wanted = std::get_if<core::ModeUpdate>(&update)) mode = wanted->mode;
  }
  // Another call may wait for the answer that this one has just got.
  if (!answer.updates.empty()) host_->look_again();
  const auto* question = std::get_if<core::AsksPerson>(&action);
  if (!mode && question != nullptr && question->then) {
    mode = question->then;
    policy_.set_mode(*mode);
  }
  if (mode) round.sink.post(core::ModeChanged{*mode});
}

// A changed input is read and judged anew: what is denied stays denied.
CallState ToolRunner::allow(const JudgedCall& judged, tools::PlannedCall planned,
                            const core::HostAllows& answer, Round& round) {
  apply_updates(answer, planned.action, round);
  if (!answer.input || answer.input->text == judged.call.input.text) {
    return CallReady{std::move(planned)};
  }
  tools::Plan plan = judged.tool->plan(read_json(answer.input->text), round.context);
  if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) {
    return CallAnswered{std::move(*outcome)};
  }
  auto& changed = std::get<tools::PlannedCall>(plan);
  const core::Decision decision = policy_.decide(
      {.id = judged.call.id, .name = judged.call.name, .input = *answer.input}, changed.action);
  if (const auto* deny = std::get_if<core::Deny>(&decision)) {
    return denied(deny->message, Denial::after_question);
  }
  // The host said yes to what it made of the call itself; but nobody has seen that this would be
  // asked for in every mode.
  if (const auto* ask = std::get_if<core::Ask>(&decision); ask != nullptr && ask->in_every_mode) {
    return denied(ask->message, Denial::after_question);
  }
  return CallReady{std::move(changed)};
}

// Side by side, on as many threads as there are to be had.
void ToolRunner::run_all(std::vector<JudgedCall>& batch, Round& round) const {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < batch.size(); i = next++) {
      const auto* ready = std::get_if<CallReady>(&batch[i].state);
      if (ready == nullptr) continue;
      tools::ToolContext own = round.context;
      own.call_id = batch[i].call.id;
      own.proven_steps = ready->steps;
      // A command in the background outlives the turn, and with it this sink.
      if (own.events == nullptr) own.events = &round.sink;
      CallAnswered answered{run_one(ready->planned, own, stopped_)};
      clean(answered.outcome, redactor_);
      batch[i].state = std::move(answered);
    }
  };
  std::vector<std::jthread> workers;
  try {
    for (std::size_t i = 1; i < std::min(batch.size(), k_max_workers); ++i) {
      workers.emplace_back(work);
    }
  } catch (const std::system_error&) {
    // No more threads to be had: those we have, and this one, do the work.
  }
  work();
}

void ToolRunner::run_batch(std::vector<JudgedCall> batch, More more, Round& round) {
  bool changes_things = false;
  for (const JudgedCall& judged : batch) round.sink.post(core::ToolCallReady{judged.call});
  for (JudgedCall& judged : batch) {
    if (std::holds_alternative<CallQuestion>(judged.state)) ask(judged, round);
    changes_things |= std::holds_alternative<CallReady>(judged.state) &&
                      judged.tool->spec().effect == tools::Effect::changes_things;
  }
  // The host looks at a file when it reads the line of the call that will change it.
  if (changes_things) round.sink.flush(round.context.cancel);
  run_all(batch, round);
  for (JudgedCall& judged : batch) {
    auto& answered = std::get<CallAnswered>(judged.state);
    FinishedCall& finished =
        round.finished.emplace_back(FinishedCall{.call = std::move(judged.call),
                                                 .provider = std::move(judged.provider),
                                                 .outcome = std::move(answered.outcome),
                                                 .denial = answered.denial});
    const bool last = more == More::none && &judged == &batch.back();
    round.guard.observe(finished);
    if (last) add_news(round.context.shell.background().take_end_reports(), finished.outcome);
    post_finished(finished, round.sink);
  }
}

std::vector<FinishedCall> ToolRunner::run(std::vector<AskedCall> calls,
                                          const tools::ToolContext& context, core::EventSink& sink,
                                          LoopGuard& guard) {
  stopped_ = false;
  Round round{.context = context, .sink = sink, .guard = guard};
  round.finished.reserve(calls.size());
  std::vector<JudgedCall> batch;
  for (AskedCall& call : calls) {
    // Planned only when its turn comes: an earlier call may change what a path means.
    const tools::Tool* tool = registry_.find(call.provider.name);
    const bool alone = tool != nullptr && tool->spec().effect == tools::Effect::changes_things;
    const More more = &call == &calls.back() ? More::none : More::follow;
    if (alone && !batch.empty()) run_batch(std::exchange(batch, {}), More::follow, round);
    batch.push_back(judge(std::move(call), tool, context));
    if (alone || more == More::none) run_batch(std::exchange(batch, {}), more, round);
  }
  return std::move(round.finished);
}

std::vector<FinishedCall> ToolRunner::refuse(std::vector<AskedCall> calls, const std::string& why,
                                             core::EventSink& sink) {
  std::vector<FinishedCall> finished;
  for (AskedCall& asked : calls) {
    FinishedCall& refused =
        finished.emplace_back(FinishedCall{.call = {.id = std::move(asked.id),
                                                    .name = shown_name(asked),
                                                    .input = std::move(asked.input.given)},
                                           .provider = std::move(asked.provider),
                                           .outcome = tools::failed_running(why)});
    sink.post(core::ToolCallReady{refused.call});
    post_finished(refused, sink);
  }
  return finished;
}

}  // namespace yume::agent
