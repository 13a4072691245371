// SPDX-License-Identifier: MIT
// Decides what becomes of a call before anything of it runs: hooks are asked first, then rules and
// the mode decide, then whoever can answer is asked. A deny rule is lifted by nobody. On the turn's
// thread.
#pragma once

#include <optional>
#include <string>

#include "agent/call_stages.h"
#include "core/event.h"
#include "core/hooks.h"
#include "core/host_port.h"
#include "permissions/policy.h"
#include "tools/tool.h"
#include "util/redactor.h"

namespace yume::agent {

class CallJudge {
 public:
  // What must be asked is asked of `host`; nullptr: it is refused.
  CallJudge(permissions::PermissionPolicy& policy, core::Hooks& hooks, const Redactor& redactor,
            core::Questions* host);

  // The calls of one reply.
  struct Round {
    const tools::ToolContext& context;
    core::EventSink& sink;
    bool stopped = false;  // by the host: the rest is answered as interrupted
  };

  // What the call would do, or the answer to one that cannot run at all. Asks nobody.
  static JudgedCall plan(AskedCall asked, const tools::Tool* tool,
                         const tools::ToolContext& context);
  // The call is announced already: a host shows what it is asked about. Afterwards it is ready or
  // answered.
  void settle(JudgedCall& judged, Round& round);

 private:
  CallState decide(tools::PlannedCall planned, const JudgedCall& judged,
                   const core::CallAdvice& advice) const;
  [[nodiscard]] bool must_be_asked(const JudgedCall& judged, const core::Action& action) const;
  [[nodiscard]] bool may_read(const core::Action& action) const;
  void ask(JudgedCall& judged, Round& round);
  [[nodiscard]] core::MayRun question_about(const JudgedCall& judged,
                                            const CallQuestion& question) const;
  // Says in the question what would change, where that is wanted; or the outcome of a call that
  // cannot change anything, about which nobody need be asked.
  [[nodiscard]] std::optional<core::ToolOutcome> add_change(const tools::PlannedCall& planned,
                                                            const tools::ToolContext& context,
                                                            core::MayRun& may_run) const;
  CallState after_answer(JudgedCall& judged, CallQuestion question, const core::HostAnswer& answer,
                         Round& round);
  CallState allow(JudgedCall& judged, tools::PlannedCall planned, const core::HostAllows& answer,
                  Round& round);
  std::optional<core::PermissionMode> apply_updates(
      const std::vector<core::PermissionUpdate>& updates, Round& round);
  void accept_updates(const core::HostAllows& answer, const core::Action& action, Round& round);
  static CallState reject(const core::HostDenies& answer, Round& round);

  permissions::PermissionPolicy& policy_;
  core::Hooks& hooks_;
  const Redactor& redactor_;
  core::Questions* host_;
};

}  // namespace yume::agent
