// SPDX-License-Identifier: MIT
#include "agent/tool_runner.h"

#include "agent/guarded_work.h"
#include "agent/turn_notes.h"
#include "tools/args.h"
#include "tools/text_file.h"
#include "util/json_tree.h"
#include "util/overloaded.h"
#include "util/thread.h"
#include "util/utf8.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <new>
#include <system_error>
#include <utility>

namespace yume::agent {
namespace {

constexpr std::size_t k_max_workers = 8;
constexpr std::size_t k_longest_name = 256;

// Beside the result, for the model alone.
void add_reminder(const std::string& text, core::ToolOutcome& outcome) {
  if (text.empty()) return;
  outcome.model_note.append(outcome.model_note.empty() ? "" : "\n\n").append(as_reminder(text));
}

core::ToolOutcome run_one(const tools::PlannedCall& planned, const tools::ToolContext& context,
                          bool stopped) {
  if (stopped || context.cancel.stop_requested()) {
    return tools::failed_running(
        "The tool call was not run because the user interrupted the turn.");
  }
  const auto* writes = std::get_if<core::WritesFile>(&planned.action);
  if (writes != nullptr && context.before_change) context.before_change(writes->path);
  return guarded(planned.run, context);
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

std::string shown_name(const AskedCall& asked) {
  return std::string(utf8_prefix(asked.provider.name, k_longest_name));
}

ToolRunner::ToolRunner(const tools::Registry& registry, permissions::PermissionPolicy& policy,
                       const Redactor& redactor, core::Hooks& hooks, core::Questions* host)
    : registry_(registry),
      redactor_(redactor),
      hooks_(hooks),
      judge_(policy, hooks, redactor, host) {}

// Side by side, on as many threads as there are to be had.
void ToolRunner::run_all(std::vector<JudgedCall>& batch, const CallJudge::Round& round) const {
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
      const platform::SteadyTime start = own.clock.steady_now();
      CallAnswered answered{run_one(ready->planned, own, round.stopped)};
      answered.ran_for = std::max(
          std::chrono::milliseconds(1),  // hosts test for > 0
          std::chrono::duration_cast<std::chrono::milliseconds>(own.clock.steady_now() - start));
      clean(answered.outcome, redactor_);
      batch[i].state = std::move(answered);
    }
  };
  std::vector<Thread> workers;
  try {
    for (std::size_t i = 1; i < std::min(batch.size(), k_max_workers); ++i) {
      workers.emplace_back(work);
    }
  } catch (const std::system_error&) {
    // No more threads to be had: those we have, and this one, do the work.
  }
  work();
}

void ToolRunner::finish(JudgedCall& judged, More more, Round& round) {
  auto& answered = std::get<CallAnswered>(judged.state);
  const CancelToken& cancel = round.judged.context.cancel;
  core::ToolOutcome& outcome = answered.outcome;
  add_reminder(judged.context, outcome);
  bool ends_turn = judged.ends_turn;
  if (answered.ran_for && !cancel.stop_requested()) {
    const core::ResultAdvice advice = hooks_.after_call(
        {.call = judged.current(), .outcome = outcome, .duration = *answered.ran_for},
        round.judged.sink, cancel);
    add_reminder(advice.context, outcome);
    ends_turn |= advice.ends_turn;
  }
  FinishedCall& finished =
      round.finished.emplace_back(FinishedCall{.call = std::move(judged.call),
                                               .provider = std::move(judged.provider),
                                               .outcome = std::move(outcome),
                                               .denial = answered.denial,
                                               .ends_turn = ends_turn});
  round.guard.observe(finished);
  // The model learns with its next results what has ended in the background meanwhile.
  if (more == More::none) {
    for (const std::string& news : round.judged.context.shell.background().take_end_reports()) {
      add_reminder(news, finished.outcome);
    }
  }
  post_finished(finished, round.judged.sink);
}

void ToolRunner::run_batch(std::vector<JudgedCall> batch, More more, Round& round) {
  bool changes_things = false;
  for (const JudgedCall& judged : batch) round.judged.sink.post(core::ToolCallReady{judged.call});
  for (JudgedCall& judged : batch) {
    judge_.settle(judged, round.judged);
    changes_things |= std::holds_alternative<CallReady>(judged.state) &&
                      judged.tool->spec().effect == tools::Effect::changes_things;
  }
  // The host looks at a file when it reads the line of the call that will change it.
  if (changes_things) round.judged.sink.flush(round.judged.context.cancel);
  run_all(batch, round.judged);
  for (JudgedCall& judged : batch) {
    finish(judged, &judged == &batch.back() ? more : More::follow, round);
  }
}

std::vector<FinishedCall> ToolRunner::run(std::vector<AskedCall> calls,
                                          const tools::ToolContext& context, core::EventSink& sink,
                                          LoopGuard& guard) {
  Round round{.judged = {.context = context, .sink = sink}, .guard = guard};
  round.finished.reserve(calls.size());
  std::vector<JudgedCall> batch;
  tools::Effect of_batch = tools::Effect::reads_only;
  for (AskedCall& call : calls) {
    // Planned only when its turn comes: an earlier call may change what a path means.
    const tools::Tool* tool = registry_.find(call.provider.name);
    const tools::Effect effect = tool == nullptr ? tools::Effect::reads_only : tool->spec().effect;
    const bool alone = effect == tools::Effect::changes_things;
    const More more = &call == &calls.back() ? More::none : More::follow;
    if ((alone || effect != of_batch) && !batch.empty())
      run_batch(std::exchange(batch, {}), More::follow, round);
    of_batch = effect;
    batch.push_back(CallJudge::plan(std::move(call), tool, context));
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
