// SPDX-License-Identifier: MIT
// A live conversation: takes what a host wants of it, and works on it on a thread of its own, one
// turn after the other. It alone knows whether it is busy, and only it ends its turns. What it has
// to say goes to its port, under its address.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>

#include "config/session_spec.h"
#include "core/command.h"
#include "core/host_port.h"
#include "session/services.h"
#include "session/turn_runner.h"
#include "transcript/session_store.h"
#include "util/byte_budget.h"
#include "util/cancel.h"

namespace yume::session {

// How a turn ends that an exception broke off.
core::TurnDone broken_turn(const std::exception& failure);

class Session {
 public:
  // On the session's thread, when there is nothing left to do: how many prompts it has dealt with
  // since it began. Whoever has handed over more knows that more will follow.
  using OnIdle = std::function<void(std::uint64_t prompts)>;

  // Goes on with the conversation that was opened on disk. `services` and `host` outlive it.
  Session(config::SessionSpec spec, transcript::OpenedSession opened, Services& services,
          core::HostPort& host, OnIdle on_idle);
  // Ends the running turn, forgets what is queued, and waits for the thread.
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  [[nodiscard]] const std::string& id() const { return turns_.id(); }
  // What every init line says.
  [[nodiscard]] core::SessionStarted info() const { return turns_.info(); }

  // Prompts that come while a turn runs become one turn. The very first work, if it is a prompt, is
  // recorded here, and the host learns of its turn by `announce` before the session's thread is
  // started: its first line waits for no other thread. Later ones are recorded and announced on the
  // session's thread. One thread at a time, as initialize().
  using Announce = std::function<void(const core::SessionStarted&)>;
  void submit(core::UserMessage prompt, ByteBudget::Share share, const Announce& announce);
  // Takes effect before the prompts that follow it. False when some of the hooks that
  // the host registers will not be called.
  bool initialize(core::Initialize settings);
  // Any thread. Holds from the next decision on; the reason when it cannot be.
  std::optional<std::string> set_mode(core::PermissionMode mode) { return turns_.set_mode(mode); }
  // Any thread. Ends the turn that runs or is about to, and keeps the prompts behind it or forgets
  // them. False: there is none.
  enum class QueuedPrompts { keep, forget };
  bool interrupt(QueuedPrompts queued = QueuedPrompts::keep);
  // In a turn, which may have left the conversation half changed: nothing more can be asked.
  [[nodiscard]] bool ran_out_of_memory() const { return out_of_memory_; }

 private:
  struct QueuedPrompt {
    core::UserMessage message;
    ByteBudget::Share share;
    bool begun = false;  // is recorded, and the host knows
  };
  using Work = std::variant<QueuedPrompt, core::Initialize>;

  void enqueue(Work work);
  void run();
  [[nodiscard]] Work take_next();
  void forget_queue();
  void run_turn(const QueuedPrompt& prompt, const CancelToken& cancel);

  TurnRunner turns_;
  OnIdle on_idle_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> queue_;
  std::uint64_t prompts_ = 0;  // taken from the queue
  bool working_ = false;
  bool closing_ = false;
  std::atomic<bool> out_of_memory_ = false;
  CancelSource cancel_;  // of the turn that runs, or of the next one
  std::thread thread_;   // from the first work on; last: it uses all of the above
};

}  // namespace yume::session
