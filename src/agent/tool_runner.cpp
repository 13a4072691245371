// SPDX-License-Identifier: MIT
#include "agent/tool_runner.h"

#include "tools/aliases.h"
#include "tools/args.h"
#include "tools/text_file.h"
#include "util/utf8.h"

#include <nlohmann/json.hpp>

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

core::ToolOutcome run_one(const tools::PlannedCall& planned, const tools::ToolContext& context) {
  if (context.cancel.stop_requested()) {
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

ToolRunner::ToolRunner(const tools::Registry& registry, const permissions::PermissionPolicy& policy,
                       const Redactor& redactor)
    : registry_(registry), policy_(policy), redactor_(redactor) {}

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
  prepared.effect = tool->spec().effect;
  prepared.finished.call.name = tool->spec().name;
  if (const auto fine = check_json(call.args, k_max_input_depth); !fine.ok()) {
    prepared.finished.call.input = {"{}"};
    prepared.finished.outcome =
        tools::refused_input("InputValidationError: " + call.name +
                             " was called with unusable input: " + fine.error().message);
    return prepared;
  }
  nlohmann::json input = nlohmann::json::parse(call.args);
  if (tools::rename_fields(call.name, input)) prepared.finished.call.input = {input.dump()};
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
  const auto* deny = std::get_if<core::Deny>(&decision);
  prepared.finished.denied = true;
  prepared.finished.outcome = tools::failed_running(
      deny != nullptr ? deny->message : std::get<core::Ask>(decision).message);
  prepared.planned.reset();
}

void ToolRunner::run_batch(std::vector<Prepared*>& batch, const tools::ToolContext& context,
                           core::EventSink& sink) {
  bool changes_things = false;
  for (const Prepared* prepared : batch) {
    sink.post(core::ToolCallReady{prepared->finished.call});
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
      batch[i]->finished.outcome = run_one(*batch[i]->planned, own);
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
    if (prepared->finished.denied) {
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
