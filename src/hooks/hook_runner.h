// SPDX-License-Identifier: MIT
// A session's hooks: what each event tells them, and what their answers mean for the step. One file
// for each family of events: calls, turns, compaction. On the session's thread.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/hooks.h"
#include "hooks/hook_dispatcher.h"

namespace yume::hooks {

// Which subagent a hook is asked about.
struct HookAgent {
  std::string id = {};  // empty: the session itself, in the role of an agent
  std::string type = {};
  std::filesystem::path transcript = {};  // empty: it is not kept
};

// Something that goes on while the conversation does.
struct HookTask {
  enum class Kind { command, subagent };
  Kind kind = Kind::command;
  std::string id = {};
  std::string description = {};
};

// What every hook is told about the session.
struct SessionFacts {
  std::string session_id;
  std::filesystem::path transcript;  // empty: the session is not kept
  std::filesystem::path cwd;
  std::function<core::PermissionMode()> mode;
  // A JSON object with what a call brought, as hosts get it.
  std::function<RawJson(const core::ToolOutcome&)> tool_response;
  std::optional<HookAgent> agent = std::nullopt;      // absent: the session itself
  std::function<std::vector<HookTask>()> tasks = {};  // in the background; empty: none ever
};

class HookRunner final : public core::Hooks {
 public:
  HookRunner(HookSettings settings, SessionFacts facts, HookDeps deps);

  // Replaces what was registered before. Between turns only. Those that are not served are left
  // out.
  void register_host_hooks(const std::vector<core::HostHookGroup>& groups);

  // A message of the user comes: what hooks are told from now on belongs to it.
  void begin_prompt();

  [[nodiscard]] bool has(core::HookEvent event) const override { return dispatcher_.has(event); }

  core::CallAdvice before_call(const core::ToolCall& call, core::EventSink& sink,
                               const CancelToken& cancel) override;
  core::ResultAdvice after_call(const core::RanCall& ran, core::EventSink& sink,
                                const CancelToken& cancel) override;
  std::optional<core::HostAnswer> may_run(const core::MayRun& question, core::EventSink& sink,
                                          const CancelToken& cancel) override;
  void on_question(const core::MayRun& question, core::EventSink& sink,
                   const CancelToken& cancel) override;

  core::PromptAdvice before_prompt(const std::string& prompt, core::EventSink& sink,
                                   const CancelToken& cancel) override;
  std::optional<std::string> before_end(const core::FinishedAnswer& answer, core::EventSink& sink,
                                        const CancelToken& cancel) override;
  // A subagent is about to work: what they have for it.
  std::string agent_started(core::EventSink& sink, const CancelToken& cancel);
  // What they have for the model.
  std::string session_started(core::SessionSource source, core::EventSink& sink,
                              const CancelToken& cancel);
  // Programs only, and for a moment: the host does not listen any more. `reason`: "clear", "other".
  void session_ended(const std::string& reason, const CancelToken& cancel);
  // From now on they are told of another session. Between turns only.
  void move_to(std::string session_id, std::filesystem::path transcript);

  core::CompactionAdvice before_compaction(const core::PlannedCompaction& plan,
                                           core::EventSink& sink,
                                           const CancelToken& cancel) override;

 private:
  [[nodiscard]] bool is_subagent() const { return facts_.agent && !facts_.agent->id.empty(); }
  void write_tasks(JsonWriter& json) const;
  // The fields that every event has, then those that `more` writes.
  [[nodiscard]] RawJson input_of(core::HookEvent event,
                                 const std::function<void(JsonWriter&)>& more) const;

  SessionFacts facts_;
  std::string prompt_id_;  // empty: none has come yet
  HookDispatcher dispatcher_;
};

// What all hooks of an occasion have for the model: the parts that say something, with empty lines
// between them, cut to what may be sent beside a conversation that hardly fits.
std::string for_model(const std::vector<std::string>& parts);

}  // namespace yume::hooks
