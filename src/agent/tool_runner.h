// SPDX-License-Identifier: MIT
// Runs the calls of one reply: each is announced, judged, run and answered exactly once, in order.
// Neighbouring read-only calls run side by side; everything else runs alone. Only the turn's thread
// emits; workers compute.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "core/event.h"
#include "gemini/stream_decoder.h"
#include "permissions/policy.h"
#include "tools/registry.h"
#include "tools/tool.h"

namespace yume::agent {

struct FinishedCall {
  core::ToolCall call;
  std::optional<std::string> provider_id;  // what the model called it, when it did
  std::string provider_name;
  core::ToolOutcome outcome;
  bool denied = false;
};

class ToolRunner {
 public:
  ToolRunner(const tools::Registry& registry, const permissions::PermissionPolicy& policy);

  // One entry per call, in call order, whatever happens; after a cancel the rest is answered as
  // interrupted without running.
  std::vector<FinishedCall> run(const std::vector<gemini::FunctionCall>& calls,
                                const tools::ToolContext& context, core::EventSink& sink);

 private:
  struct Prepared {
    FinishedCall finished;
    std::optional<tools::PlannedCall> planned;  // empty: the outcome is known already
    tools::Effect effect = tools::Effect::reads_only;
  };

  Prepared prepare(const gemini::FunctionCall& call, const tools::ToolContext& context);
  std::string public_id(const gemini::FunctionCall& call);
  void run_batch(std::vector<Prepared*>& batch, const tools::ToolContext& context,
                 core::EventSink& sink);
  void judge(Prepared& prepared);

  const tools::Registry& registry_;
  const permissions::PermissionPolicy& policy_;
  std::set<std::string> used_ids_;
  int made_ids_ = 0;
};

}  // namespace yume::agent
