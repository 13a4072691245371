// SPDX-License-Identifier: MIT
#include "session/session.h"

#include "session/commands/slash_commands.h"
#include "util/breakdown.h"
#include "util/overloaded.h"

#include <algorithm>
#include <exception>
#include <iterator>
#include <new>
#include <utility>

namespace yume::session {
namespace {

using core::PromptMoved;
using Parts = std::vector<core::PromptTaken>;

// A prompt that is made of several is known by the first.
std::string first_uuid(const Parts& parts) {
  return parts.empty() ? std::string() : parts.front().uuid;
}

void move_prompts(const Parts& parts, PromptMoved::State state, const Session::Announce& announce) {
  for (const core::PromptTaken& part : parts) {
    if (!part.uuid.empty()) announce(PromptMoved{.uuid = part.uuid, .state = state});
  }
}

// The parts' messages are the host's now; who they were is needed on.
void take_prompts(Parts& parts, const std::string& record, const Session::Announce& announce) {
  move_prompts(parts, PromptMoved::State::started, announce);
  for (core::PromptTaken& part : parts) {
    const bool is_first = &part == &parts.front();
    announce(core::PromptTaken{.uuid = part.uuid,
                               .message = std::exchange(part.message, {}),
                               .record_uuid = is_first ? record : std::string()});
  }
}

}  // namespace

core::TurnDone broken_turn(const std::exception& failure) {
  core::TurnDone done;
  done.outcome = core::TurnOutcome::failed;
  done.failure = core::FailureKind::unknown;
  const bool known = breakdown_of(failure) != Breakdown::unknown;
  done.text = (known ? "" : "Internal error: ") + std::string(breakdown_words(failure));
  done.duration = std::chrono::milliseconds(1);
  return done;
}

Session::Session(config::SessionSpec spec, transcript::OpenedSession opened, Services& services,
                 core::HostPort& host, OnIdle on_idle)
    : on_idle_(std::move(on_idle)),
      first_id_(opened.id),
      turns_(std::move(spec), std::move(opened), services, host) {
  turns_.when_agents_end([this] {
    const std::lock_guard lock(mutex_);
    ++agent_ends_;
    wake_.notify_one();
  });
}

Session::~Session() {
  {
    const std::lock_guard lock(mutex_);
    closing_ = true;
    queue_.clear();
    cancel_.request_stop();
    wake_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

Session::QueuedPrompt Session::queued(core::Prompt prompt, ByteBudget::Share share) const {
  QueuedPrompt queued{
      .message = {}, .parts = {}, .share = std::move(share), .urgency = prompt.urgency};
  if (turns_.replays_prompts()) {
    queued.parts.push_back({.uuid = prompt.uuid, .message = prompt.message});
  } else if (!prompt.uuid.empty()) {
    queued.parts.push_back({.uuid = std::move(prompt.uuid), .message = {}});
  }
  queued.message = std::move(prompt.message);
  return queued;
}

void Session::submit(core::Prompt prompt, ByteBudget::Share share, const Announce& announce) {
  // A turn with servers begins when they are there, which the session's thread waits for; so does
  // one that begins anew.
  const bool is_first =
      !thread_.joinable() && !turns_.mcp().any() && !turns_.clears(prompt.message);
  QueuedPrompt next = queued(std::move(prompt), std::move(share));
  move_prompts(next.parts, PromptMoved::State::queued, announce);
  if (is_first) {
    const std::string record = turns_.record(next.message, first_uuid(next.parts));
    announce(turns_.info());
    take_prompts(next.parts, record, announce);
    next.begun = true;
  }
  enqueue(std::move(next));
}

bool Session::initialize(core::Initialize settings) {
  const bool all_hooks_served = turns_.serves_hooks(settings);
  turns_.mcp().add_in_host(settings.mcp_servers);
  turns_.mcp().start();
  // At once, so that a host which asks for the list gets them.
  if (settings.agents) turns_.set_host_agents(*settings.agents);
  enqueue(std::move(settings));
  return all_hooks_served;
}

Result<std::string> Session::set_model(const std::string& name) {
  YUME_TRY(config::ModelSpec model, turns_.model_named(name));
  std::string id = model.info.id;
  enqueue(std::move(model));
  return id;
}

void Session::rewind(core::RewindFiles wanted, OnRewound done) {
  enqueue(Rewind{std::move(wanted), std::move(done)});
}

void Session::limit_thinking(std::optional<std::int64_t> max_tokens) {
  enqueue(core::SetThinking{max_tokens});
}

void Session::append(core::Prompt prompt, ByteBudget::Share share) {
  enqueue(Appended{std::move(prompt), std::move(share)});
}

void Session::run_errand(Errand errand) {
  enqueue(std::move(errand));
}

Result<void> Session::check_model(const std::string& name) const {
  YUME_TRY([[maybe_unused]] const config::ModelSpec model, turns_.model_named(name));
  return {};
}

bool Session::cancel_prompt(const std::string& uuid) {
  const std::lock_guard lock(mutex_);
  for (Work& work : queue_) {
    const auto* prompt = std::get_if<QueuedPrompt>(&work);
    if (prompt == nullptr || prompt->begun || first_uuid(prompt->parts) != uuid) continue;
    work = CancelledPrompt{};
    return true;
  }
  return false;
}

// What cannot wait goes before the others that do, and ends the turn that runs.
void Session::enqueue(Work work) {
  {
    const std::lock_guard lock(mutex_);
    const auto* prompt = std::get_if<QueuedPrompt>(&work);
    if (prompt != nullptr && prompt->urgency == core::Prompt::Urgency::now && working_) {
      cancel_.request_stop();
      const auto first = std::find_if(queue_.begin(), queue_.end(), [](const Work& one) {
        return std::holds_alternative<QueuedPrompt>(one);
      });
      queue_.insert(first, std::move(work));
    } else {
      queue_.push_back(std::move(work));
    }
    wake_.notify_one();
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
}

bool Session::interrupt(QueuedPrompts queued) {
  const bool agents_work = turns_.agents_work();
  turns_.stop_agents();
  const std::lock_guard lock(mutex_);
  // Settings that wait are not what a host interrupts; the next turn must not be ended for them.
  const bool has_prompt = std::any_of(queue_.begin(), queue_.end(), [](const Work& work) {
    return std::holds_alternative<QueuedPrompt>(work);
  });
  const bool was_busy = working_ || has_prompt || agents_work;
  if (was_busy) cancel_.request_stop();
  // One that is about to begin still ends with a result of its own.
  if (queued == QueuedPrompts::forget && working_) forget_prompts();
  return was_busy;
}

// Neighbouring prompts become one message, unless it is recorded already. The mutex is held.
Session::Work Session::take_next() {
  Work next = std::move(queue_.front());
  queue_.pop_front();
  auto* prompt = std::get_if<QueuedPrompt>(&next);
  if (counts(next)) ++prompts_;
  if (prompt != nullptr && !prompt->begun) join_neighbours(*prompt);
  return next;
}

bool Session::counts(const Work& work) {
  return std::holds_alternative<QueuedPrompt>(work) || std::holds_alternative<Appended>(work) ||
         std::holds_alternative<CancelledPrompt>(work) || std::holds_alternative<Errand>(work);
}

// A command, or a message that the host wants to be a turn of its own.
bool Session::stands_alone(const QueuedPrompt& prompt) const {
  return prompt.urgency != core::Prompt::Urgency::next || read_slash_line(prompt.message);
}

// The mutex is held.
void Session::join_neighbours(QueuedPrompt& prompt) {
  if (stands_alone(prompt)) return;
  while (!queue_.empty()) {
    auto* more = std::get_if<QueuedPrompt>(&queue_.front());
    if (more == nullptr || stands_alone(*more)) return;
    prompt.message.append(std::move(more->message));
    std::move(more->parts.begin(), more->parts.end(), std::back_inserter(prompt.parts));
    queue_.pop_front();
    ++prompts_;
  }
}

// What has come while a tool ran, unless it is a command, which has a turn of its own.
std::optional<core::UserMessage> Session::take_meanwhile(QueuedPrompt& running) {
  QueuedPrompt more;
  {
    const std::lock_guard lock(mutex_);
    const bool has_prompt = !queue_.empty() && std::holds_alternative<QueuedPrompt>(queue_.front());
    if (!has_prompt || closing_) return std::nullopt;
    QueuedPrompt& front = std::get<QueuedPrompt>(queue_.front());
    if (stands_alone(front) || !turns_.may_join(front.message)) return std::nullopt;
    more = std::move(front);
    queue_.pop_front();
    ++prompts_;
    join_neighbours(more);
  }
  const std::string record = turns_.record(more.message, first_uuid(more.parts));
  take_prompts(more.parts, record, [this](core::Event event) { turns_.post(std::move(event)); });
  std::move(more.parts.begin(), more.parts.end(), std::back_inserter(running.parts));
  return std::move(more.message);
}

std::vector<std::string> Session::queued_uuids() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> uuids;
  for (const Work& work : queue_) {
    const auto* prompt = std::get_if<QueuedPrompt>(&work);
    if (prompt == nullptr || prompt->begun) continue;
    for (const core::PromptTaken& part : prompt->parts) {
      if (!part.uuid.empty()) uuids.push_back(part.uuid);
    }
  }
  return uuids;
}

// What a host has asked for besides is still done: it waits for the answer, or has it already. The
// mutex is held.
void Session::forget_prompts() {
  const std::size_t before = queue_.size();
  std::erase_if(queue_,
                [](const Work& work) { return std::holds_alternative<QueuedPrompt>(work); });
  prompts_ += before - queue_.size();
}

// The mutex is held.
void Session::forget_queue() {
  for (const Work& work : queue_) prompts_ += counts(work) ? 1 : 0;
  queue_.clear();
}

void Session::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return closing_ || !queue_.empty() || agent_ends_ > 0; });
    if (closing_) break;
    agent_ends_ = 0;
    if (queue_.empty()) {
      follow_agents(lock);
      continue;
    }
    Work work = take_next();
    const bool could_be_ended =
        std::holds_alternative<QueuedPrompt>(work) || std::holds_alternative<Errand>(work);
    working_ = could_be_ended;
    const CancelToken cancel = cancel_.get_token();
    lock.unlock();
    std::visit(Overloaded{
                   [&](QueuedPrompt& prompt) {
                     prompt.share = {};
                     run_turn(prompt, cancel);
                   },
                   [&](Appended& added) {
                     added.share = {};
                     turns_.append(std::move(added.prompt.message), added.prompt.uuid);
                   },
                   [](const CancelledPrompt&) {},
                   [&](const Errand& errand) { errand(turns_, cancel); },
                   [&](core::Initialize& settings) { turns_.initialize(settings); },
                   [&](config::ModelSpec& model) { turns_.use_model(model); },
                   [&](Rewind& rewind) {
                     rewind.done(turns_.checkpoints().rewind(rewind.wanted.prompt_uuid,
                                                             rewind.wanted.dry_run));
                   },
                   [&](core::SetThinking& limit) { turns_.limit_thinking(limit.max_tokens); },
               },
               work);
    lock.lock();
    working_ = false;
    // What ended one turn does not end the next.
    if (could_be_ended && !closing_) cancel_ = CancelSource();
    if (out_of_memory_) forget_queue();
    if (!queue_.empty() && !closing_) continue;
    report_idle(lock);
  }
  lock.unlock();
  turns_.end(CancelSource().get_token());
}

// Not while subagents work: what they report is a turn of its own.
void Session::report_idle(std::unique_lock<std::mutex>& lock) {
  if (turns_.agents_work() || turns_.agents_have_news() || agent_ends_ > 0) return;
  const std::uint64_t prompts = prompts_;
  lock.unlock();
  on_idle_(prompts);
  lock.lock();
}

// Subagents in the background have ended while nothing else was to do.
void Session::follow_agents(std::unique_lock<std::mutex>& lock) {
  if (turns_.agents_have_news()) {
    working_ = true;
    const CancelToken cancel = cancel_.get_token();
    lock.unlock();
    QueuedPrompt own{.message = turns_.take_agent_news(), .parts = {}, .share = {}};
    run_turn(own, cancel);
    lock.lock();
    working_ = false;
    if (!closing_) cancel_ = CancelSource();
    if (out_of_memory_) forget_queue();
  }
  if (queue_.empty() && !closing_) report_idle(lock);
}

void Session::run_turn(QueuedPrompt& prompt, const CancelToken& cancel) {
  const auto post = [this](core::Event event) { turns_.post(std::move(event)); };
  core::TurnDone done;
  // The host gets a result whatever happens.
  try {
    if (!prompt.begun) {
      if (turns_.clears(prompt.message)) turns_.begin_anew(first_uuid(prompt.parts), cancel);
      const std::string record = turns_.record(prompt.message, first_uuid(prompt.parts));
      turns_.meet_servers(cancel);
      turns_.post(turns_.info());
      take_prompts(prompt.parts, record, post);
    }
    done = turns_.run(
        prompt.message, [&] { return take_meanwhile(prompt); }, cancel);
  } catch (const std::exception& failure) {
    out_of_memory_ = breakdown_of(failure) == Breakdown::out_of_memory;
    done = broken_turn(failure);
  }
  turns_.post(std::move(done));
  move_prompts(prompt.parts, PromptMoved::State::completed, post);
  try {
    turns_.after_result();
  } catch (const std::bad_alloc&) {
    // The host has its result and the session its records; the rest is made up for by a later turn.
  }
}

}  // namespace yume::session
