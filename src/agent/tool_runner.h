// SPDX-License-Identifier: MIT
// Runs the calls of one reply: each is announced, judged, run and answered exactly once, in order.
// Neighbouring read-only calls run side by side; everything else runs alone. Only the turn's thread
// emits; workers compute.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "agent/turn_assembler.h"
#include "core/event.h"
#include "core/host_questions.h"
#include "permissions/policy.h"
#include "tools/registry.h"
#include "tools/tool.h"
#include "util/redactor.h"

namespace yume::agent {

struct FinishedCall {
  core::ToolCall call;
  std::optional<std::string> provider_id;  // what the model called it, when it did
  std::string provider_name;
  core::ToolOutcome outcome;
  bool denied = false;
  bool ends_turn = false;  // the host denied it and everything that would follow
};

class ToolRunner {
 public:
  // What tools bring back goes through the redactor before anybody sees it.
  // What must be asked is asked of `host`; nullptr: it is refused.
  ToolRunner(const tools::Registry& registry, permissions::PermissionPolicy& policy,
             const Redactor& redactor, core::HostQuestions* host = nullptr);

  // One entry per call, in call order, whatever happens; after a cancel the rest is answered as
  // interrupted without running.
  std::vector<FinishedCall> run(const std::vector<ModelCall>& calls,
                                const tools::ToolContext& context, core::EventSink& sink);

  // The same without running anything: every call is announced and answered with `why`.
  std::vector<FinishedCall> refuse(const std::vector<ModelCall>& calls, const std::string& why,
                                   core::EventSink& sink);

 private:
  struct Prepared {
    FinishedCall finished;
    std::optional<tools::PlannedCall> planned;  // empty: the outcome is known already
    tools::Effect effect = tools::Effect::reads_only;
    const tools::Tool* tool = nullptr;
    std::optional<std::string> question;  // why the host must be asked first
    bool answered_by_host = false;
  };

  Prepared prepare(const ModelCall& call, const tools::ToolContext& context);
  void run_batch(std::vector<Prepared*>& batch, const tools::ToolContext& context,
                 core::EventSink& sink);
  void judge(Prepared& prepared);
  static void deny(Prepared& prepared, std::string message);
  void ask(Prepared& prepared, const tools::ToolContext& context, core::EventSink& sink);
  void allow(Prepared& prepared, const core::HostAllows& answer, const tools::ToolContext& context,
             core::EventSink& sink);

  const tools::Registry& registry_;
  permissions::PermissionPolicy& policy_;
  const Redactor& redactor_;
  core::HostQuestions* host_;
  bool stopped_ = false;  // by the host, in this reply
};

}  // namespace yume::agent
