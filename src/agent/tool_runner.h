// SPDX-License-Identifier: MIT
// Runs the calls of one reply: each is announced, judged, run and answered exactly once, in order.
// Neighbouring read-only calls run side by side, and so do neighbouring calls of subagents;
// everything else runs alone. Only the turn's thread emits; workers compute.
#pragma once

#include <string>
#include <vector>

#include "agent/call_judge.h"
#include "agent/call_stages.h"
#include "agent/loop_guard.h"
#include "core/event.h"
#include "core/hooks.h"
#include "core/host_port.h"
#include "permissions/policy.h"
#include "tools/registry.h"
#include "tools/tool.h"
#include "util/redactor.h"

namespace yume::agent {

class ToolRunner {
 public:
  // What tools bring back goes through the redactor before anybody sees it.
  // What must be asked is asked of `host`; nullptr: it is refused.
  ToolRunner(const tools::Registry& registry, permissions::PermissionPolicy& policy,
             const Redactor& redactor, core::Hooks& hooks, core::Questions* host = nullptr);

  // One entry per call, in call order, whatever happens; after a cancel the rest is answered as
  // interrupted without running. `guard` sees each of them.
  std::vector<FinishedCall> run(std::vector<AskedCall> calls, const tools::ToolContext& context,
                                core::EventSink& sink, LoopGuard& guard);

  // The same without running anything: every call is announced and answered with `why`.
  std::vector<FinishedCall> refuse(std::vector<AskedCall> calls, const std::string& why,
                                   core::EventSink& sink);

 private:
  // The turn that the calls of one reply are run for.
  struct Round {
    CallJudge::Round judged;
    LoopGuard& guard;
    std::vector<FinishedCall> finished = {};
  };
  enum class More { follow, none };  // calls of the same reply

  void run_batch(std::vector<JudgedCall> batch, More more, Round& round);
  void run_all(std::vector<JudgedCall>& batch, const CallJudge::Round& round) const;
  void finish(JudgedCall& judged, More more, Round& round);

  const tools::Registry& registry_;
  const Redactor& redactor_;
  core::Hooks& hooks_;
  CallJudge judge_;
};

}  // namespace yume::agent
