// SPDX-License-Identifier: MIT
#include "session/subagents/agent_hooks.h"

#include <utility>

namespace yume::session {
namespace {

std::string joined(const std::vector<std::string>& reports) {
  std::string text;
  for (const std::string& report : reports) text.append(text.empty() ? "" : "\n\n").append(report);
  return text;
}

}  // namespace

core::ResultAdvice AgentHooks::after_call(const core::RanCall& ran, core::EventSink& sink,
                                          const CancelToken& cancel) {
  core::ResultAdvice advice = hooks_.after_call(ran, sink, cancel);
  const std::string reports = joined(subagents_.take_end_reports());
  if (reports.empty()) return advice;
  advice.context.append(advice.context.empty() ? "" : "\n\n").append(reports);
  return advice;
}

std::optional<std::string> AgentHooks::before_end(const core::FinishedAnswer& answer,
                                                  core::EventSink& sink,
                                                  const CancelToken& cancel) {
  if (auto reason = hooks_.before_end(answer, sink, cancel)) return reason;
  if (!holds_turn_) return std::nullopt;
  subagents_.wait_for_news(cancel);
  const std::string reports = joined(subagents_.take_end_reports());
  return reports.empty() ? std::nullopt : std::optional(reports);
}

}  // namespace yume::session
