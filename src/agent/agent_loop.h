// SPDX-License-Identifier: MIT
// The loop of one turn: ask, run the tools the model wants, ask again, until it stops. Always ends
// in exactly one TurnDone, whatever happens. Runs on the turn's thread.
#pragma once

#include <string>

#include "agent/model_client.h"
#include "agent/tool_runner.h"
#include "core/event.h"
#include "core/message.h"
#include "gemini/history.h"
#include "gemini/model_catalog.h"
#include "gemini/request.h"
#include "tools/tool.h"

namespace yume::agent {

struct LoopLimits {
  int max_turns = 0;  // model requests per user message; 0: no limit
};

class AgentLoop {
 public:
  AgentLoop(ModelClient& client, ToolRunner& runner, const gemini::RequestEncoder& encoder,
            gemini::ModelInfo model, LoopLimits limits, const platform::Clock& clock);

  core::TurnDone run(const core::UserMessage& message, const tools::ToolContext& context,
                     core::EventSink& sink);

 private:
  struct Turn;

  // Asks once and runs the calls of the reply. True: the model wants to go on.
  bool step(Turn& turn, const tools::ToolContext& context, core::EventSink& sink);
  bool nudge(Turn& turn, const ModelReply& reply);
  void count(Turn& turn, const ModelReply& reply);
  bool run_calls(Turn& turn, const ModelReply& reply, const tools::ToolContext& context,
                 core::EventSink& sink);

  ModelClient& client_;
  ToolRunner& runner_;
  const gemini::RequestEncoder& encoder_;
  gemini::ModelInfo model_;
  LoopLimits limits_;
  const platform::Clock& clock_;
  gemini::History history_;
  core::UsageByModel by_model_;
};

}  // namespace yume::agent
