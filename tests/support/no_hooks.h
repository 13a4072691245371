// SPDX-License-Identifier: MIT
// Nobody has anything to say.
#pragma once

#include <optional>
#include <string>

#include "core/hooks.h"

namespace yume::test {

class NoHooks : public core::Hooks {
 public:
  [[nodiscard]] bool has(core::HookEvent) const override { return false; }
  core::CallAdvice before_call(const core::ToolCall&, core::EventSink&,
                               const CancelToken&) override {
    return {};
  }
  core::ResultAdvice after_call(const core::RanCall&, core::EventSink&,
                                const CancelToken&) override {
    return {};
  }
  std::optional<core::HostAnswer> may_run(const core::MayRun&, core::EventSink&,
                                          const CancelToken&) override {
    return std::nullopt;
  }
  void on_question(const core::MayRun&, core::EventSink&, const CancelToken&) override {}
  core::PromptAdvice before_prompt(const std::string&, core::EventSink&,
                                   const CancelToken&) override {
    return {};
  }
  std::optional<std::string> before_end(const core::FinishedAnswer&, core::EventSink&,
                                        const CancelToken&) override {
    return std::nullopt;
  }
  core::CompactionAdvice before_compaction(const core::PlannedCompaction&, core::EventSink&,
                                           const CancelToken&) override {
    return {};
  }
};

}  // namespace yume::test
