// SPDX-License-Identifier: MIT
// The loop of one turn: ask, run the tools the model wants, ask again, until it stops. Always ends
// in exactly one TurnDone, whatever happens. Runs on the turn's thread.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "agent/context_keeper.h"
#include "agent/model_client.h"
#include "agent/tool_runner.h"
#include "core/conversation.h"
#include "core/event.h"
#include "core/message.h"
#include "gemini/history.h"
#include "gemini/request.h"
#include "session/journal.h"
#include "tools/tool.h"

namespace yume::agent {

struct LoopLimits {
  int max_turns = 0;              // model requests per user message; 0: no limit
  bool own_output_limit = false;  // the user chose it: a reply that reaches it is not continued
};

class AgentLoop {
 public:
  AgentLoop(ModelClient& client, ToolRunner& runner, const gemini::RequestEncoder& encoder,
            ContextKeeper& keeper, LoopLimits limits, const platform::Clock& clock,
            session::Journal& journal);

  // Goes on from an earlier conversation; before the first turn.
  void resume(core::Conversation past);

  // The message is in the journal already: it was recorded before the host heard of the turn.
  core::TurnDone run(const core::UserMessage& message, const tools::ToolContext& context,
                     core::EventSink& sink);

  // A turn that only sums up what was said so far.
  core::TurnDone compact(const std::string& focus, core::EventSink& sink,
                         const CancelToken& cancel);

 private:
  struct Turn;
  enum class Next { done, ask_on, ask_again };  // ask_again: the same question, not a new request

  Next step(Turn& turn, const tools::ToolContext& context, core::EventSink& sink);
  Next fail(Turn& turn, const gemini::ApiError& failure);
  void take_back(Turn& turn);
  Next ask_with(std::string_view text);
  [[nodiscard]] gemini::MediaPlace media_place() const;
  Next go_on(Turn& turn, const ModelReply& reply, bool has_text);
  Next answer_calls(Turn& turn, const ModelReply& reply, const tools::ToolContext& context,
                    core::EventSink& sink);
  void count(Turn& turn, ModelReply& reply);
  void count_compactions(Turn& turn);
  void bill(core::TurnDone& done, const std::vector<core::Usage>& billed);
  std::optional<Next> make_room(Turn& turn, std::int64_t more_tokens,
                                const tools::ToolContext& context, core::EventSink& sink);
  std::optional<Next> cure_overflow(Turn& turn, const gemini::ApiError& failure,
                                    const tools::ToolContext& context, core::EventSink& sink);
  void add_prompt(Turn& turn);
  core::TurnDone finish(Turn turn, platform::SteadyTime start);
  void remember(const AskResult& result);

  ModelClient& client_;
  ToolRunner& runner_;
  const gemini::RequestEncoder& encoder_;
  LoopLimits limits_;
  const platform::Clock& clock_;
  session::Journal& journal_;
  ContextKeeper& keeper_;
  gemini::History& history_;
  core::UsageByModel by_model_;
};

}  // namespace yume::agent
