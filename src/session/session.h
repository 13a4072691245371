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

  // That it was opened with: a conversation that begins anew (/clear) has another one.
  [[nodiscard]] const std::string& id() const { return first_id_; }
  // What every init line says.
  [[nodiscard]] core::SessionStarted info() const { return turns_.info(); }

  // All that a prompt can begin with, for hosts that list it.
  [[nodiscard]] std::vector<core::SlashCommandInfo> commands() const { return turns_.commands(); }

  // Prompts that come while a turn runs become one turn; one that comes while a tool runs joins
  // that turn. The very first work, if it is a prompt, is recorded here, and the host learns of its
  // turn by `announce` before the session's thread is started: its first line waits for no other
  // thread. Later ones are recorded and announced on the session's thread. One thread at a time, as
  // initialize().
  using Announce = std::function<void(core::Event)>;
  void submit(core::Prompt prompt, ByteBudget::Share share, const Announce& announce);
  // Takes effect before the prompts that follow it. False when some of the hooks that
  // the host registers will not be called.
  bool initialize(core::Initialize settings);
  // Any thread. Holds from the next decision on; the reason when it cannot be.
  std::optional<std::string> set_mode(core::PermissionMode mode) { return turns_.set_mode(mode); }
  // Take effect before the prompts that follow, as initialize(). The id of the model that the name
  // means, or why it cannot be used.
  Result<std::string> set_model(const std::string& name);
  void limit_thinking(std::optional<std::int64_t> max_tokens);
  // Between turns; `done` is called on the session's thread.
  using OnRewound = std::function<void(core::RewindReport)>;
  void rewind(core::RewindFiles wanted, OnRewound done);
  // Before the first work, on the thread that hands it over. What was said elsewhere comes first.
  // False: something was said here already.
  bool begin_with(core::Conversation past) { return turns_.begin_with(std::move(past)); }
  // Keeps a message that wants no reply; it counts as one that was submitted.
  void append(core::Prompt prompt, ByteBudget::Share share);
  // Any thread. A prompt that waits is forgotten. False: none of that uuid waits.
  bool cancel_prompt(const std::string& uuid);
  // Between turns, on the session's thread.
  using Errand = std::function<void(TurnRunner& turns, const CancelToken& cancel)>;
  void run_errand(Errand errand);
  // Any thread.
  [[nodiscard]] core::RulesReport rules_report() const { return turns_.rules_report(); }
  [[nodiscard]] core::HooksReport hooks_report() const { return turns_.hooks_report(); }
  [[nodiscard]] Result<core::FileContents> read_file(const core::ReadFile& wanted) {
    return turns_.read_file(wanted);
  }
  Result<void> seed_read_state(const core::SeedReadState& seen) {
    return turns_.seed_read_state(seen);
  }
  [[nodiscard]] Result<core::TaskOutput> task_output(const std::string& task_id) {
    return turns_.task_output(task_id);
  }
  // All but the model; the reason when it cannot be.
  std::optional<std::string> apply(const core::ApplySettings& settings) {
    return turns_.apply(settings);
  }
  // The model that a name means, without using it.
  [[nodiscard]] Result<void> check_model(const std::string& name) const;
  // Any thread.
  [[nodiscard]] std::vector<core::ModelOffer> models() const { return turns_.models(); }
  [[nodiscard]] core::ContextReport context_report() const { return turns_.context_report(); }
  [[nodiscard]] core::SettingsReport settings_report() const { return turns_.settings_report(); }
  [[nodiscard]] std::string cost_text() const { return turns_.cost_text(); }
  // Any thread. False: nothing of that id runs.
  bool stop_task(const std::string& id) { return turns_.stop_task(id); }
  // Any thread. The subagents that there are, for hosts that list them.
  [[nodiscard]] std::vector<core::AgentSummary> agents() const { return turns_.agents(); }
  // Any thread. Ends the turn that runs or is about to, and keeps the prompts behind it or forgets
  // them. False: there is none.
  enum class QueuedPrompts { keep, forget };
  bool interrupt(QueuedPrompts queued = QueuedPrompts::keep);
  // Any thread. Of the prompts that wait: the uuids that the host gave them.
  [[nodiscard]] std::vector<std::string> queued_uuids();
  // Any thread.
  [[nodiscard]] mcp::Servers& mcp() { return turns_.mcp(); }
  // In a turn, which may have left the conversation half changed: nothing more can be asked.
  [[nodiscard]] bool ran_out_of_memory() const { return out_of_memory_; }

 private:
  struct QueuedPrompt {
    core::UserMessage message;
    // What it is made of, as far as the host wants to hear of it.
    std::vector<core::PromptTaken> parts;
    ByteBudget::Share share;
    bool begun = false;  // is recorded, and the host knows
    core::Prompt::Urgency urgency = core::Prompt::Urgency::next;
  };
  struct Appended {
    core::Prompt prompt;
    ByteBudget::Share share;
  };
  struct CancelledPrompt {};  // in the place of one: it has been dealt with
  struct Rewind {
    core::RewindFiles wanted;
    OnRewound done;
  };
  using Work = std::variant<QueuedPrompt, Appended, CancelledPrompt, core::Initialize,
                            config::ModelSpec, core::SetThinking, Rewind, Errand>;

  static bool counts(const Work& work);
  [[nodiscard]] bool stands_alone(const QueuedPrompt& prompt) const;
  [[nodiscard]] QueuedPrompt queued(core::Prompt prompt, ByteBudget::Share share) const;
  void enqueue(Work work);
  void join_neighbours(QueuedPrompt& prompt);
  std::optional<core::UserMessage> take_meanwhile(QueuedPrompt& running);
  void run();
  [[nodiscard]] Work take_next();
  void forget_prompts();
  void forget_queue();
  void report_idle(std::unique_lock<std::mutex>& lock);
  void follow_agents(std::unique_lock<std::mutex>& lock);
  void run_turn(QueuedPrompt& prompt, const CancelToken& cancel);

  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<Work> queue_;
  std::uint64_t prompts_ = 0;  // taken from the queue
  int agent_ends_ = 0;         // since it was last looked
  bool working_ = false;       // on a turn
  bool closing_ = false;
  std::atomic<bool> out_of_memory_ = false;
  CancelSource cancel_;  // of the turn that runs, or of the next one
  OnIdle on_idle_;
  std::string first_id_;
  TurnRunner turns_;    // its subagents use what is above
  std::thread thread_;  // from the first work on; last: it uses all of the above
};

}  // namespace yume::session
