// SPDX-License-Identifier: MIT
// A session's hooks, and with them what its subagents in the background have to say: the model
// learns of their reports with the results of its calls, or before its turn may end. On the
// session's thread.
#pragma once

#include <optional>
#include <string>

#include "core/hooks.h"
#include "session/subagents/subagents.h"

namespace yume::session {

class AgentHooks final : public core::Hooks {
 public:
  // `holds_turn`: nothing can be asked after this turn, so it waits for the subagents.
  AgentHooks(core::Hooks& hooks, Subagents& subagents, bool holds_turn)
      : hooks_(hooks), subagents_(subagents), holds_turn_(holds_turn) {}

  [[nodiscard]] bool has(core::HookEvent event) const override { return hooks_.has(event); }
  core::CallAdvice before_call(const core::ToolCall& call, core::EventSink& sink,
                               const CancelToken& cancel) override {
    return hooks_.before_call(call, sink, cancel);
  }
  core::ResultAdvice after_call(const core::RanCall& ran, core::EventSink& sink,
                                const CancelToken& cancel) override;
  std::optional<core::HostAnswer> may_run(const core::MayRun& question, core::EventSink& sink,
                                          const CancelToken& cancel) override {
    return hooks_.may_run(question, sink, cancel);
  }
  void on_question(const core::MayRun& question, core::EventSink& sink,
                   const CancelToken& cancel) override {
    hooks_.on_question(question, sink, cancel);
  }
  core::PromptAdvice before_prompt(const std::string& prompt, core::EventSink& sink,
                                   const CancelToken& cancel) override {
    return hooks_.before_prompt(prompt, sink, cancel);
  }
  std::optional<std::string> before_end(const core::FinishedAnswer& answer, core::EventSink& sink,
                                        const CancelToken& cancel) override;
  core::CompactionAdvice before_compaction(const core::PlannedCompaction& plan,
                                           core::EventSink& sink,
                                           const CancelToken& cancel) override {
    return hooks_.before_compaction(plan, sink, cancel);
  }

 private:
  core::Hooks& hooks_;
  Subagents& subagents_;
  bool holds_turn_;
};

}  // namespace yume::session
