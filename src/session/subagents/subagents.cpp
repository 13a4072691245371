// SPDX-License-Identifier: MIT
#include "session/subagents/subagents.h"

#include "core/written_files.h"
#include "tools/background.h"
#include "tools/text_file.h"
#include "util/breakdown.h"
#include "util/path_text.h"
#include "util/uuid.h"

#include <algorithm>
#include <exception>
#include <system_error>
#include <utility>

namespace yume::session {
namespace {

using core::BackgroundStatus;
using core::TurnOutcome;

constexpr std::size_t k_most_remembered = 32;
constexpr std::string_view k_no_memory = "Out of memory: no agent can be started now.";
constexpr std::string_view k_interrupted = "The agent was stopped because the user interrupted it.";

BackgroundStatus status_of(const core::TurnDone& done) {
  if (done.outcome == TurnOutcome::success) return BackgroundStatus::completed;
  return done.outcome == TurnOutcome::interrupted ? BackgroundStatus::killed
                                                  : BackgroundStatus::failed;
}

std::string_view words_for(BackgroundStatus status) {
  switch (status) {
    case BackgroundStatus::running:
      return "is running";
    case BackgroundStatus::completed:
      return "completed";
    case BackgroundStatus::failed:
      return "failed";
    case BackgroundStatus::killed:
      break;
  }
  return "was stopped";
}

std::string summary_of(const AgentOrder& order, BackgroundStatus status) {
  return "Agent \"" + order.description + "\" " + std::string(words_for(status));
}

core::TurnDone broken(const std::exception& failure) {
  core::TurnDone done;
  done.outcome = TurnOutcome::failed;
  done.text = std::string(breakdown_words(failure));
  return done;
}

}  // namespace

core::ToolOutcome outcome_of(const core::TurnDone& done) {
  switch (done.outcome) {
    case TurnOutcome::success: {
      core::ToolOutcome outcome;
      outcome.content = done.text.empty() ? "(The agent ended without a report.)" : done.text;
      return outcome;
    }
    case TurnOutcome::interrupted:
      return tools::failed_running(std::string(k_interrupted));
    case TurnOutcome::max_turns:
    case TurnOutcome::max_budget:
    case TurnOutcome::stuck:
    case TurnOutcome::timed_out:
    case TurnOutcome::no_structured_output:
    case TurnOutcome::failed:
    case TurnOutcome::rejected:
      break;
  }
  return tools::failed_running("The agent ended without a report: " + done.text);
}

// One that works, or has worked in the background.
struct Subagents::Worker {
  std::string id;
  std::string description;
  bool in_background = false;
  CancelSource cancel = {};
  BackgroundStatus status = BackgroundStatus::running;
  std::string report = {};  // of one that has ended in the background
  bool told = false;        // the model knows of its end
  std::thread thread = {};  // of one in the background
};

Subagents::Subagents(ParentSession parent)
    : parent_(std::move(parent)), port_(parent_.host, {.session_id = parent_.session_id}) {}

Subagents::~Subagents() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
  }
  stop_all();
  for (const auto& worker : workers_) {
    if (worker->thread.joinable()) worker->thread.join();
  }
}

Subagents::Worker& Subagents::enlist(const AgentOrder& order) {
  auto worker = std::make_unique<Worker>();
  worker->id = "a" + random_hex(16);
  worker->description = order.description;
  worker->in_background = order.in_background;
  const std::lock_guard lock(mutex_);
  if (closing_) worker->cancel.request_stop();
  workers_.push_back(std::move(worker));
  return *workers_.back();
}

void Subagents::dismiss(Worker& worker) {
  const std::lock_guard lock(mutex_);
  std::erase_if(workers_, [&worker](const auto& one) { return one.get() == &worker; });
}

core::ToolOutcome Subagents::work(const AgentOrder& order, const tools::ToolContext& context) {
  return order.in_background ? launch(order, context) : work_and_wait(order, context);
}

core::ToolOutcome Subagents::work_and_wait(const AgentOrder& order,
                                           const tools::ToolContext& context) {
  Worker& worker = enlist(order);
  core::ToolOutcome outcome;
  {
    const OnCancel pass_on(context.cancel, [&worker] { worker.cancel.request_stop(); });
    outcome = run(worker, make_child(worker, order, context), order, context.call_id);
  }
  dismiss(worker);
  return outcome;
}

// Null: there is not enough memory.
std::unique_ptr<ChildSession> Subagents::make_child(const Worker& worker, const AgentOrder& order,
                                                    const tools::ToolContext& context) const {
  try {
    return std::make_unique<ChildSession>(order, worker.id, context.call_id, parent_);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}

core::ToolOutcome Subagents::run(Worker& worker, std::unique_ptr<ChildSession> child,
                                 const AgentOrder& order, const std::string& call_id) {
  if (child == nullptr) return tools::failed_running(std::string(k_no_memory));
  port_.post(core::AgentStarted{.agent_id = worker.id,
                                .call_id = call_id,
                                .type = order.definition.name,
                                .description = order.description,
                                .prompt = order.prompt,
                                .in_background = order.in_background});
  ChildEnd end;
  const std::string model = child->model();
  const std::string transcript = to_utf8(child->transcript());
  // Whatever happens, the host learns of its end and the model gets an outcome.
  try {
    end = child->run(worker.cancel.get_token());
    child.reset();  // with its commands
  } catch (const std::exception& failure) {
    end.done = broken(failure);
  }
  bill(end.done);
  const BackgroundStatus status = status_of(end.done);
  port_.post(core::AgentEnded{.agent_id = worker.id,
                              .call_id = call_id,
                              .status = status,
                              .summary = summary_of(order, status),
                              .output_file = transcript,
                              .work = end.work});
  core::ToolOutcome outcome = outcome_of(end.done);
  if (outcome.is_error) return outcome;
  outcome.details = core::AgentFinished{.agent_id = worker.id,
                                        .type = order.definition.name,
                                        .prompt = order.prompt,
                                        .model = model,
                                        .last_request = end.done.last_request,
                                        .tokens = end.work.tokens,
                                        .calls = end.work.calls,
                                        .took = end.work.duration};
  return outcome;
}

void Subagents::bill(const core::TurnDone& done) {
  const std::lock_guard lock(mutex_);
  core::add_usage(done.by_model, usage_);
  written_.insert(written_.end(), done.files_written.begin(), done.files_written.end());
}

void Subagents::add_files_written(std::vector<std::string>& files) {
  core::WrittenFiles all;
  all.add(files);
  {
    const std::lock_guard lock(mutex_);
    all.add(std::exchange(written_, {}));
  }
  files = all.list();
}

core::UsageByModel Subagents::usage() const {
  const std::lock_guard lock(mutex_);
  return usage_;
}

core::ToolOutcome Subagents::launch(const AgentOrder& order, const tools::ToolContext& context) {
  join_ended();
  {
    const std::lock_guard lock(mutex_);
    const auto working = std::count_if(workers_.begin(), workers_.end(), [](const auto& one) {
      return one->in_background && one->status == BackgroundStatus::running;
    });
    if (static_cast<std::size_t>(working) >= k_most_in_background) {
      return tools::failed_running(
          "There are already " + std::to_string(k_most_in_background) +
          " agents in the background. Wait for one of them, or call this one without "
          "run_in_background.");
    }
  }
  Worker& worker = enlist(order);
  // On this thread: between turns the parent may change.
  auto child = make_child(worker, order, context);
  if (child == nullptr) {
    dismiss(worker);
    return tools::failed_running(std::string(k_no_memory));
  }
  core::ToolOutcome outcome;
  outcome.content = "Async agent launched successfully.\nagentId: " + worker.id +
                    "\nThe agent is working in the background. You will be told when it has "
                    "finished; BashOutput with this ID waits for its report, KillShell ends "
                    "it.";
  outcome.details = core::AgentLaunched{.agent_id = worker.id,
                                        .description = order.description,
                                        .prompt = order.prompt,
                                        .model = child->model(),
                                        .output_file = to_utf8(child->transcript())};
  try {
    worker.thread = std::thread(
        [this, &worker, order, call_id = context.call_id, child = std::move(child)]() mutable {
          const core::ToolOutcome ended = run(worker, std::move(child), order, call_id);
          std::unique_lock lock(mutex_);
          worker.report = ended.content;
          worker.status = !ended.is_error                  ? BackgroundStatus::completed
                          : worker.cancel.stop_requested() ? BackgroundStatus::killed
                                                           : BackgroundStatus::failed;
          ended_.notify_all();
          const bool closing = closing_;
          lock.unlock();
          if (!closing) on_end_();
        });
  } catch (const std::system_error&) {
    dismiss(worker);
    return tools::failed_running(
        "The agent could not be started: this process may have no more threads. Try again "
        "without run_in_background.");
  }
  return outcome;
}

Subagents::Worker* Subagents::find(std::string_view id) const {
  const auto found = std::find_if(workers_.begin(), workers_.end(),
                                  [id](const auto& worker) { return worker->id == id; });
  return found == workers_.end() ? nullptr : found->get();
}

std::optional<AgentView> Subagents::look(std::string_view id) const {
  const std::lock_guard lock(mutex_);
  const Worker* worker = find(id);
  if (worker == nullptr || !worker->in_background) return std::nullopt;
  return AgentView{
      .description = worker->description, .status = worker->status, .report = worker->report};
}

void Subagents::wait_for_end(std::string_view id, std::chrono::milliseconds longest,
                             const CancelToken& cancel) const {
  std::unique_lock lock(mutex_);
  ended_.wait_for(lock, cancel, longest, [&] {
    const Worker* worker = find(id);
    return worker == nullptr || worker->status != BackgroundStatus::running;
  });
}

void Subagents::report_seen(std::string_view id) {
  const std::lock_guard lock(mutex_);
  Worker* worker = find(id);
  if (worker != nullptr && worker->status != BackgroundStatus::running) worker->told = true;
}

bool Subagents::stop(std::string_view id) {
  const std::lock_guard lock(mutex_);
  Worker* worker = find(id);
  if (worker == nullptr || worker->status != BackgroundStatus::running) return false;
  return worker->cancel.request_stop();
}

void Subagents::stop_all() {
  const std::lock_guard lock(mutex_);
  for (const auto& worker : workers_) worker->cancel.request_stop();
}

void Subagents::move_to(Place place) {
  stop_all();
  for (const auto& worker : workers_) {
    if (worker->thread.joinable()) worker->thread.join();
  }
  const std::lock_guard lock(mutex_);
  workers_.clear();
  port_.move_to(place.session_id);
  parent_.session_id = std::move(place.session_id);
  parent_.session_file = std::move(place.session_file);
  parent_.head = std::move(place.head);
  parent_.long_outputs = std::move(place.long_outputs);
}

std::vector<std::string> Subagents::take_end_reports() {
  std::vector<std::string> reports;
  const std::lock_guard lock(mutex_);
  for (const auto& worker : workers_) {
    if (worker->status == BackgroundStatus::running || std::exchange(worker->told, true)) continue;
    reports.push_back("<task-notification>\n<task-id>" + worker->id + "</task-id>\n<status>" +
                      std::string(tools::to_string(worker->status)) + "</status>\n<summary>" +
                      "Agent \"" + worker->description + "\" " +
                      std::string(words_for(worker->status)) + "</summary>\n<result>" +
                      worker->report + "</result>\n</task-notification>");
  }
  return reports;
}

void Subagents::wait_for_news(const CancelToken& cancel) const {
  std::unique_lock lock(mutex_);
  ended_.wait(lock, cancel, [this] { return news_waits() || !works_in_background(); });
}

bool Subagents::has_news() const {
  const std::lock_guard lock(mutex_);
  return news_waits();
}

std::vector<RunningAgent> Subagents::running_in_background() const {
  const std::lock_guard lock(mutex_);
  std::vector<RunningAgent> running;
  for (const auto& worker : workers_) {
    if (!worker->in_background || worker->status != BackgroundStatus::running) continue;
    running.push_back({.id = worker->id, .description = worker->description});
  }
  return running;
}

bool Subagents::any_in_background() const {
  const std::lock_guard lock(mutex_);
  return works_in_background();
}

// The mutex is held, here and below. Who stopped an agent knows that it has ended.
bool Subagents::news_waits() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& worker) {
    return !worker->told && (worker->status == BackgroundStatus::completed ||
                             worker->status == BackgroundStatus::failed);
  });
}

bool Subagents::works_in_background() const {
  return std::any_of(workers_.begin(), workers_.end(), [](const auto& worker) {
    return worker->in_background && worker->status == BackgroundStatus::running;
  });
}

// Threads that are done; and reports that the model has had for long are forgotten.
void Subagents::join_ended() {
  const std::lock_guard lock(mutex_);
  for (const auto& worker : workers_) {
    const bool done = worker->status != BackgroundStatus::running;
    if (done && worker->thread.joinable()) worker->thread.join();
  }
  std::size_t ended = 0;
  for (auto worker = workers_.end(); worker != workers_.begin();) {
    --worker;
    if (!(*worker)->told || ++ended <= k_most_remembered) continue;
    worker = workers_.erase(worker);
  }
}

}  // namespace yume::session
