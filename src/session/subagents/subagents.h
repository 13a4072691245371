// SPDX-License-Identifier: MIT
// The subagents of a session: has them work, while a call waits or in the background, knows which
// of them do, stops them, and adds up what they use. Every failure is an outcome for the model.
// Thread-safe.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/tool_call.h"
#include "core/usage.h"
#include "session/subagents/child_session.h"
#include "tools/tool.h"
#include "util/thread.h"

namespace yume::session {

// A subagent in the background, as it is now.
struct AgentView {
  std::string description;
  core::BackgroundStatus status = core::BackgroundStatus::running;
  std::string report = {};  // of one that has ended
};

// One that has not ended.
struct RunningAgent {
  std::string id;
  std::string description;
};

class Subagents {
 public:
  // Beside these, those that calls wait for: no more than the tool runner has workers.
  static constexpr std::size_t k_most_in_background = 8;

  explicit Subagents(ParentSession parent);
  Subagents(const Subagents&) = delete;
  Subagents& operator=(const Subagents&) = delete;
  ~Subagents();  // stops all of them and waits

  // The outcome of a call: the report, or that the subagent works in the background.
  core::ToolOutcome work(const AgentOrder& order, const tools::ToolContext& context);

  // Since the process started, of those that have ended.
  [[nodiscard]] core::UsageByModel usage() const;
  // Adds what they have written since this was last asked.
  void add_files_written(std::vector<std::string>& files);
  void stop_all();

  // nullopt: there is none of that id in the background.
  [[nodiscard]] std::optional<AgentView> look(std::string_view id) const;
  // Blocks until it has ended, the time is over or the turn is cancelled.
  void wait_for_end(std::string_view id, std::chrono::milliseconds longest,
                    const CancelToken& cancel) const;
  // Whoever has seen the report need not be told again that it is there.
  void report_seen(std::string_view id);
  // It ends soon after, in the background or not. False: none of that id works.
  bool stop(std::string_view id);

  // What ended in the background since this was last asked, in words for the model.
  std::vector<std::string> take_end_reports();
  // Blocks while some work in the background and none of them has ended.
  void wait_for_news(const CancelToken& cancel) const;
  // One has ended by itself, and the model does not know.
  [[nodiscard]] bool has_news() const;
  [[nodiscard]] bool any_in_background() const;
  [[nodiscard]] std::vector<RunningAgent> running_in_background() const;  // oldest first
  // Between turns. Ends those in the background and waits for them; from now on they work for the
  // conversation that `parent` says, and its id is what they say things under.
  struct Place {
    std::string session_id;
    std::filesystem::path session_file;
    transcript::LineHead head;
    std::filesystem::path long_outputs;
  };
  void move_to(Place place);
  // Called when one in the background has ended, on its thread. Before any works.
  void set_on_end(std::function<void()> on_end) { on_end_ = std::move(on_end); }

 private:
  struct Worker;

  core::ToolOutcome work_and_wait(const AgentOrder& order, const tools::ToolContext& context);
  core::ToolOutcome launch(const AgentOrder& order, const tools::ToolContext& context);
  // Announces it, has it work, adds up, announces its end.
  core::ToolOutcome run(Worker& worker, std::unique_ptr<ChildSession> child,
                        const AgentOrder& order, const std::string& call_id);
  [[nodiscard]] std::unique_ptr<ChildSession> make_child(const Worker& worker,
                                                         const AgentOrder& order,
                                                         const tools::ToolContext& context) const;
  Worker& enlist(const AgentOrder& order);
  void dismiss(Worker& worker);
  [[nodiscard]] Worker* find(std::string_view id) const;
  void bill(const core::TurnDone& done);
  [[nodiscard]] bool news_waits() const;
  [[nodiscard]] bool works_in_background() const;
  void join_ended();

  ParentSession parent_;
  core::SessionPort port_;
  mutable std::mutex mutex_;
  mutable Condition ended_;
  std::vector<std::unique_ptr<Worker>> workers_;
  core::UsageByModel usage_;
  std::vector<std::string> written_;  // that nobody was told of yet
  bool closing_ = false;
  std::function<void()> on_end_ = [] {};
};

// What a subagent's turn means for the call that it worked for.
core::ToolOutcome outcome_of(const core::TurnDone& done);

}  // namespace yume::session
