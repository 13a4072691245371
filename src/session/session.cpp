// SPDX-License-Identifier: MIT
#include "session/session.h"

#include "util/breakdown.h"
#include "util/overloaded.h"

#include <exception>
#include <new>
#include <utility>

namespace yume::session {

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
    : turns_(std::move(spec), std::move(opened), services, host), on_idle_(std::move(on_idle)) {}

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

void Session::submit(core::UserMessage prompt, ByteBudget::Share share, const Announce& announce) {
  const bool is_first = !thread_.joinable();
  if (is_first) {
    turns_.record(prompt);
    announce(turns_.info());
  }
  enqueue(QueuedPrompt{std::move(prompt), std::move(share), is_first});
}

bool Session::initialize(core::Initialize settings) {
  const bool all_hooks_served = turns_.serves_hooks(settings);
  enqueue(std::move(settings));
  return all_hooks_served;
}

void Session::enqueue(Work work) {
  {
    const std::lock_guard lock(mutex_);
    queue_.push_back(std::move(work));
    wake_.notify_one();
  }
  if (!thread_.joinable()) thread_ = std::thread([this] { run(); });
}

bool Session::interrupt(QueuedPrompts queued) {
  const std::lock_guard lock(mutex_);
  const bool was_busy = working_ || !queue_.empty();
  if (was_busy) cancel_.request_stop();
  // One that is about to begin still ends with a result of its own.
  if (queued == QueuedPrompts::forget && working_) forget_queue();
  return was_busy;
}

// Neighbouring prompts become one message, unless it is recorded already. The mutex is held.
Session::Work Session::take_next() {
  Work next = std::move(queue_.front());
  queue_.pop_front();
  auto* prompt = std::get_if<QueuedPrompt>(&next);
  if (prompt != nullptr) ++prompts_;
  while (prompt != nullptr && !prompt->begun && !queue_.empty()) {
    auto* more = std::get_if<QueuedPrompt>(&queue_.front());
    if (more == nullptr) break;
    prompt->message.append(std::move(more->message));
    queue_.pop_front();
    ++prompts_;
  }
  return next;
}

// The mutex is held.
void Session::forget_queue() {
  for (const Work& work : queue_) prompts_ += std::holds_alternative<QueuedPrompt>(work) ? 1 : 0;
  queue_.clear();
}

void Session::run() {
  std::unique_lock lock(mutex_);
  for (;;) {
    wake_.wait(lock, [this] { return closing_ || !queue_.empty(); });
    if (closing_) break;
    Work work = take_next();
    working_ = true;
    const CancelToken cancel = cancel_.get_token();
    lock.unlock();
    std::visit(Overloaded{
                   [&](QueuedPrompt& prompt) {
                     prompt.share = {};
                     run_turn(prompt, cancel);
                   },
                   [&](core::Initialize& settings) { turns_.initialize(settings); },
               },
               work);
    lock.lock();
    working_ = false;
    const bool was_prompt = std::holds_alternative<QueuedPrompt>(work);
    // What ended one turn does not end the next.
    if (was_prompt && !closing_) cancel_ = CancelSource();
    if (out_of_memory_) forget_queue();
    if (!queue_.empty() && !closing_) continue;
    const std::uint64_t prompts = prompts_;
    lock.unlock();
    on_idle_(prompts);
    lock.lock();
  }
  lock.unlock();
  turns_.end(CancelSource().get_token());
}

void Session::run_turn(const QueuedPrompt& prompt, const CancelToken& cancel) {
  core::TurnDone done;
  // The host gets a result whatever happens.
  try {
    if (!prompt.begun) {
      turns_.record(prompt.message);
      turns_.post(turns_.info());
    }
    done = turns_.run(prompt.message, cancel);
  } catch (const std::exception& failure) {
    out_of_memory_ = breakdown_of(failure) == Breakdown::out_of_memory;
    done = broken_turn(failure);
  }
  turns_.post(std::move(done));
  try {
    turns_.after_result();
  } catch (const std::bad_alloc&) {
    // The host has its result and the session its records; the rest is made up for by a later turn.
  }
}

}  // namespace yume::session
