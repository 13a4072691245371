// SPDX-License-Identifier: MIT
#include "agent/tool_runner.h"

#include "tools/aliases.h"
#include "tools/args.h"
#include "tools/text_file.h"
#include "util/json_tree.h"
#include "util/utf8.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <system_error>
#include <thread>
#include <utility>

namespace yume::agent {
namespace {

constexpr std::size_t k_max_workers = 8;
constexpr int k_max_input_depth = 64;
constexpr std::size_t k_longest_name = 256;

void clean(core::ToolOutcome& outcome, const Redactor& redactor) {
  redactor.clean(outcome.content);
  redactor.clean(outcome.model_note);
  if (outcome.details) redactor.clean(outcome.details->text);
}

core::ToolOutcome run_one(const tools::PlannedCall& planned, const tools::ToolContext& context,
                          bool stopped) {
  if (stopped || context.cancel.stop_requested()) {
    return tools::failed_running(
        "The tool call was not run because the user interrupted the turn.");
  }
  // Out of memory at worst; the call still gets its one result.
  try {
    return planned.run(context);
  } catch (const std::exception& failure) {
    return tools::failed_running(std::string("Internal error: ") + failure.what());
  }
}

}  // namespace

ToolRunner::ToolRunner(const tools::Registry& registry, permissions::PermissionPolicy& policy,
                       const Redactor& redactor, core::HostQuestions* host)
    : registry_(registry), policy_(policy), redactor_(redactor), host_(host) {}

namespace {

FinishedCall unanswered(const ModelCall& call) {
  return {.call = {.id = call.id,
                   .name = std::string(utf8_prefix(call.name, k_longest_name)),
                   .input = {call.args}},
          .provider_id = call.provider_id,
          .provider_name = call.name,
          .outcome = {}};
}

}  // namespace

ToolRunner::Prepared ToolRunner::prepare(const ModelCall& call, const tools::ToolContext& context) {
  Prepared prepared;
  prepared.finished = unanswered(call);
  const tools::Tool* tool = registry_.find(call.name);
  if (tool == nullptr) {
    prepared.finished.outcome =
        tools::refused_input("Error: No such tool available: " + prepared.finished.call.name);
    return prepared;
  }
  prepared.tool = tool;
  prepared.effect = tool->spec().effect;
  prepared.finished.call.name = tool->spec().name;
  if (const auto fine = check_json(call.args, k_max_input_depth); !fine.ok()) {
    prepared.finished.call.input = {"{}"};
    prepared.finished.outcome =
        tools::refused_input("InputValidationError: " + call.name +
                             " was called with unusable input: " + fine.error().message);
    return prepared;
  }
  nlohmann::json input = read_json(call.args);
  if (tools::rename_fields(call.name, input)) prepared.finished.call.input = {write_json(input)};
  tools::Plan plan = tool->plan(input, context);
  if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) {
    prepared.finished.outcome = std::move(*outcome);
  } else {
    prepared.planned = std::get<tools::PlannedCall>(std::move(plan));
    judge(prepared);
  }
  return prepared;
}

void ToolRunner::judge(Prepared& prepared) {
  const core::Decision decision = policy_.decide(prepared.finished.call, prepared.planned->action);
  if (std::holds_alternative<core::Allow>(decision)) return;
  if (const auto* denied = std::get_if<core::Deny>(&decision)) {
    deny(prepared, denied->message);
  } else if (const std::string& why = std::get<core::Ask>(decision).message; host_ != nullptr) {
    prepared.question = why;
  } else {
    deny(prepared, why);
  }
}

void ToolRunner::deny(Prepared& prepared, std::string message) {
  prepared.finished.denied = true;
  prepared.finished.outcome = tools::failed_running(std::move(message));
  prepared.planned.reset();
}

// The call is announced already: a host shows what it is asked about.
void ToolRunner::ask(Prepared& prepared, const tools::ToolContext& context, core::EventSink& sink) {
  if (stopped_ || context.cancel.stop_requested()) return;  // answered as interrupted
  const core::Action& action = prepared.planned->action;
  const bool needs_person = std::holds_alternative<core::AsksPerson>(action);
  const core::HostAnswer answer =
      host_->ask({.tool_name = prepared.finished.call.name,
                  .input = prepared.finished.call.input,
                  .tool_use_id = prepared.finished.call.id,
                  .reason = needs_person ? "" : *prepared.question,
                  .needs_person = needs_person,
                  .edits_file = std::holds_alternative<core::WritesFile>(action)},
                 context.cancel);
  prepared.answered_by_host = true;
  if (const auto* allowed = std::get_if<core::HostAllows>(&answer)) {
    allow(prepared, *allowed, context, sink);
  } else if (const auto* denied = std::get_if<core::HostDenies>(&answer)) {
    deny(prepared, denied->message);
    prepared.finished.outcome.details = RawJson{"\"User rejected tool use\""};
    prepared.finished.ends_turn = denied->interrupt;
    stopped_ |= denied->interrupt;
  } else {
    deny(prepared, std::get<core::NoAnswer>(answer).why);
  }
}

// A changed input is read and judged anew: what is denied stays denied.
void ToolRunner::allow(Prepared& prepared, const core::HostAllows& answer,
                       const tools::ToolContext& context, core::EventSink& sink) {
  std::optional<core::PermissionMode> mode = answer.mode;
  if (const auto* question = std::get_if<core::AsksPerson>(&prepared.planned->action)) {
    if (!mode) mode = question->then;
  }
  if (mode) {
    policy_.set_mode(*mode);
    sink.post(core::ModeChanged{*mode});
  }
  if (!answer.input || answer.input->text == prepared.finished.call.input.text) return;
  tools::Plan plan = prepared.tool->plan(read_json(answer.input->text), context);
  if (auto* outcome = std::get_if<core::ToolOutcome>(&plan)) {
    prepared.finished.outcome = std::move(*outcome);
    prepared.planned.reset();
    return;
  }
  prepared.planned = std::get<tools::PlannedCall>(std::move(plan));
  core::ToolCall changed = prepared.finished.call;
  changed.input = *answer.input;
  const core::Decision decision = policy_.decide(changed, prepared.planned->action);
  if (const auto* denied = std::get_if<core::Deny>(&decision)) deny(prepared, denied->message);
}

void ToolRunner::run_batch(std::vector<Prepared*>& batch, const tools::ToolContext& context,
                           core::EventSink& sink) {
  bool changes_things = false;
  for (const Prepared* prepared : batch) sink.post(core::ToolCallReady{prepared->finished.call});
  for (Prepared* prepared : batch) {
    if (prepared->question) ask(*prepared, context, sink);
    changes_things |= prepared->planned && prepared->effect == tools::Effect::changes_things;
  }
  // The host looks at a file when it reads the line of the call that will change it.
  if (changes_things) sink.flush();

  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < batch.size(); i = next++) {
      if (!batch[i]->planned) continue;
      tools::ToolContext own = context;
      own.call_id = batch[i]->finished.call.id;
      // A command in the background outlives the turn, and with it this sink.
      if (own.events == nullptr) own.events = &sink;
      batch[i]->finished.outcome = run_one(*batch[i]->planned, own, stopped_);
      clean(batch[i]->finished.outcome, redactor_);
    }
  };
  {
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
  for (const Prepared* prepared : batch) {
    if (prepared->finished.denied && !prepared->answered_by_host) {
      sink.post(
          core::PermissionRefused{prepared->finished.call, prepared->finished.outcome.content});
    }
    sink.post(core::ToolFinished{prepared->finished.call, prepared->finished.outcome});
  }
  batch.clear();
}

std::vector<FinishedCall> ToolRunner::run(const std::vector<ModelCall>& calls,
                                          const tools::ToolContext& context,
                                          core::EventSink& sink) {
  std::vector<Prepared> all;
  all.reserve(calls.size());
  stopped_ = false;
  std::vector<Prepared*> batch;
  for (const ModelCall& call : calls) {
    // Planned only when its turn comes: an earlier call may change what a path means.
    const tools::Tool* tool = registry_.find(call.name);
    const bool alone = tool != nullptr && tool->spec().effect == tools::Effect::changes_things;
    if (alone && !batch.empty()) run_batch(batch, context, sink);
    all.push_back(prepare(call, context));
    batch.push_back(&all.back());
    if (alone) run_batch(batch, context, sink);
  }
  if (!batch.empty()) run_batch(batch, context, sink);

  std::vector<FinishedCall> finished;
  finished.reserve(all.size());
  for (Prepared& prepared : all) finished.push_back(std::move(prepared.finished));
  return finished;
}

std::vector<FinishedCall> ToolRunner::refuse(const std::vector<ModelCall>& calls,
                                             const std::string& why, core::EventSink& sink) {
  std::vector<FinishedCall> finished;
  for (const ModelCall& call : calls) {
    FinishedCall refused = unanswered(call);
    refused.outcome = tools::failed_running(why);
    sink.post(core::ToolCallReady{refused.call});
    sink.post(core::ToolFinished{refused.call, refused.outcome});
    finished.push_back(std::move(refused));
  }
  return finished;
}

}  // namespace yume::agent
