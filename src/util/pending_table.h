// SPDX-License-Identifier: MIT
// Questions that wait for their answers. Each has a waiter of its own with its own wake-up; many
// may be open at once, up to a limit. An answer to a question that was never asked, is not open any
// more, or was answered before, counts for nothing. How questions travel is the user's business.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <functional>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "util/cancel.h"
#include "util/thread.h"

namespace yume {

// Why a question has no answer.
enum class Unanswered {
  closed,     // close() was called
  busy,       // too many are open; it was not sent
  not_sent,   // sending failed
  cancelled,  // the token fired
  moot,       // look_again() found that nobody needs an answer any more
  timed_out,
};

template <class Question, class Answer>
class PendingTable {
 public:
  using Outcome = std::variant<Answer, Unanswered>;

  explicit PendingTable(std::size_t most_open) : most_open_(most_open) {}

  // Any thread. Opens the question under an id that no other open one has, sends it (`bool send()`,
  // without a lock) and waits.
  template <class Send>
  Outcome ask(const std::string& id, const Question& question,
              std::optional<std::chrono::milliseconds> timeout, const CancelToken& cancel,
              const Send& send, const std::function<bool()>& still_needed = {}) {
    Waiter waiter{.question = question, .wake = {}, .answer = {}};
    {
      const std::lock_guard lock(mutex_);
      if (closed_) return Unanswered::closed;
      if (open_.size() >= most_open_) return Unanswered::busy;
      open_.emplace(id, &waiter);
    }
    const bool sent = send();
    std::unique_lock lock(mutex_);
    const bool moot = sent && !wait(waiter, lock, timeout, cancel, still_needed);
    open_.erase(id);
    if (waiter.answer) return *std::move(waiter.answer);
    if (closed_) return Unanswered::closed;
    if (!sent) return Unanswered::not_sent;
    if (moot) return Unanswered::moot;
    return cancel.stop_requested() ? Unanswered::cancelled : Unanswered::timed_out;
  }

  // Any thread. What was asked before may have been decided otherwise: whoever waits with a
  // `still_needed` calls it, on its own thread and without a lock, and gives up when it says no.
  void look_again() {
    const std::lock_guard lock(mutex_);
    for (const auto& [id, waiter] : open_) {
      waiter->look_again = true;
      waiter->wake.notify_one();
    }
  }

  // Any thread. `read` is called under the lock with the question that is open under this id, and
  // returns what the answer says about it; nullopt: nothing, it stays open. False when nobody waits
  // for it, or it says nothing.
  bool answer(std::string_view id,
              const std::function<std::optional<Answer>(const Question&)>& read) {
    const std::lock_guard lock(mutex_);
    const auto found = open_.find(id);
    if (found == open_.end() || found->second->answer) return false;
    Waiter& waiter = *found->second;
    waiter.answer = read(waiter.question);
    if (!waiter.answer) return false;
    waiter.wake.notify_one();
    return true;
  }

  // Nothing more will come: whoever waits, now or later, gets no answer.
  void close() {
    const std::lock_guard lock(mutex_);
    closed_ = true;
    for (const auto& [id, waiter] : open_) waiter->wake.notify_one();
  }

 private:
  struct Waiter {
    const Question& question;
    Condition wake;
    std::optional<Answer> answer;
    bool look_again = false;
  };

  // False: the answer is not needed any more.
  bool wait(Waiter& waiter, std::unique_lock<std::mutex>& lock,
            std::optional<std::chrono::milliseconds> timeout, const CancelToken& cancel,
            const std::function<bool()>& still_needed) {
    constexpr std::chrono::milliseconds k_longest = std::chrono::hours(24 * 365);
    const auto deadline =
        std::chrono::steady_clock::now() + std::min(timeout.value_or(k_longest), k_longest);
    const auto woken = [&] { return waiter.answer || closed_ || waiter.look_again; };
    for (;;) {
      if (!waiter.wake.wait_until(lock, cancel, deadline, woken)) return true;
      if (waiter.answer || closed_) return true;
      waiter.look_again = false;
      if (!still_needed) continue;
      lock.unlock();
      const bool needed = still_needed();
      lock.lock();
      if (!needed && !waiter.answer) return false;
    }
  }

  const std::size_t most_open_;
  std::mutex mutex_;
  std::map<std::string, Waiter*, std::less<>> open_;
  bool closed_ = false;
};

}  // namespace yume
