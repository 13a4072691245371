// SPDX-License-Identifier: MIT
#include "agent/tool_runner.h"

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
constexpr std::size_t k_longest_id = 128;  // a line must have room for the rest
constexpr std::size_t k_longest_name = 256;

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

ToolRunner::ToolRunner(const tools::Registry& registry, const permissions::PermissionPolicy& policy)
    : registry_(registry), policy_(policy) {}

std::string ToolRunner::public_id(const gemini::FunctionCall& call) {
  // The API does not promise ids that are unique over turns; hosts rely on it.
  std::string id = call.id.value_or("");
  if (id.size() > k_longest_id) id.clear();
  while (id.empty() || used_ids_.contains(id)) id = "call_gemini_" + std::to_string(++made_ids_);
  used_ids_.insert(id);
  return id;
}

ToolRunner::Prepared ToolRunner::prepare(const gemini::FunctionCall& call,
                                         const tools::ToolContext& context) {
  Prepared prepared;
  const std::string name(utf8_prefix(call.name, k_longest_name));
  prepared.finished.call = {.id = public_id(call), .name = name, .input = {call.args}};
  prepared.finished.provider_id = call.id;
  prepared.finished.provider_name = call.name;
  const tools::Tool* tool = registry_.find(call.name);
  if (tool == nullptr) {
    prepared.finished.outcome = tools::refused_input("Error: No such tool available: " + name);
    return prepared;
  }
  prepared.effect = tool->spec().effect;
  if (const auto fine = check_json(call.args, k_max_input_depth); !fine.ok()) {
    prepared.finished.call.input = {"{}"};
    prepared.finished.outcome =
        tools::refused_input("InputValidationError: " + call.name +
                             " was called with unusable input: " + fine.error().message);
    return prepared;
  }
  tools::Plan plan = tool->plan(nlohmann::json::parse(call.args), context);
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
      batch[i]->finished.outcome = run_one(*batch[i]->planned, context);
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

std::vector<FinishedCall> ToolRunner::run(const std::vector<gemini::FunctionCall>& calls,
                                          const tools::ToolContext& context,
                                          core::EventSink& sink) {
  std::vector<Prepared> all;
  all.reserve(calls.size());
  std::vector<Prepared*> batch;
  for (const gemini::FunctionCall& call : calls) {
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

}  // namespace yume::agent
