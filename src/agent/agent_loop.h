// SPDX-License-Identifier: MIT
// The loop of one turn: ask, run the tools the model wants, ask again, until it stops. Always ends
// in exactly one TurnDone, whatever happens. Runs on the session's thread.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "agent/context_keeper.h"
#include "agent/model_client.h"
#include "agent/spending.h"
#include "agent/tool_runner.h"
#include "agent/turn_notes.h"
#include "config/session_spec.h"
#include "core/conversation.h"
#include "core/event.h"
#include "core/hooks.h"
#include "core/message.h"
#include "core/turn_port.h"
#include "gemini/history.h"
#include "gemini/request.h"
#include "tools/tool.h"

namespace yume::agent {

// What a turn begins with.
struct LoopInput {
  const core::UserMessage& message;    // the session has it in its records already
  std::vector<std::string> news = {};  // sentences for the model about what happened since
  // A message that came meanwhile, and is in the records, too.
  std::function<std::optional<core::UserMessage>()> take_more = [] { return std::nullopt; };
  // The model is too busy: true when the encoder has another one now.
  std::function<bool(const std::string& why)> fall_back = [](const std::string&) { return false; };
};

class AgentLoop {
 public:
  AgentLoop(ModelClient& client, ToolRunner& runner, const gemini::RequestEncoder& encoder,
            ContextKeeper& keeper, core::Hooks& hooks, config::LimitSpec limits,
            const platform::Clock& clock, std::function<void()> before_request = {});

  // Goes on from an earlier conversation; before the first turn.
  void resume(core::Conversation past);

  // The encoder has another model. Between turns.
  void on_other_model();

  core::TurnDone run(LoopInput input, const tools::ToolContext& context, core::TurnPort& port);

  // A turn that only sums up what was said so far.
  core::TurnDone compact(const std::string& focus, core::TurnPort& port, const CancelToken& cancel);

  // Since the process started.
  [[nodiscard]] const core::UsageByModel& by_model() const { return spending_.by_model(); }

 private:
  struct Turn;
  enum class Next { done, ask_on, ask_again };  // ask_again: the same request, not counted

  void ask_until_done(Turn& turn);
  Next step(Turn& turn);
  Next ask_hooks(Turn& turn);
  Next fail(Turn& turn, const gemini::ApiError& failure);
  [[nodiscard]] gemini::MediaPlace media_place() const;
  Next go_on(Turn& turn, const ModelReply& reply, bool has_text);
  Next answer_calls(Turn& turn, ModelReply& reply);
  void hear_meanwhile(Turn& turn) const;
  static void take_answer(Turn& turn, const std::vector<FinishedCall>& finished);
  Next ask_for_output(Turn& turn);
  static Next give_up_output(Turn& turn);
  void count_compactions(core::TurnDone& done);
  std::optional<Next> make_room(Turn& turn, std::int64_t more_tokens);
  std::optional<Next> cure_overflow(Turn& turn, const gemini::ApiError& failure);
  std::optional<Next> cure_media(Turn& turn, const gemini::ApiError& failure);
  bool over_budget(Turn& turn, std::int64_t more_tokens);
  [[nodiscard]] bool at_last_request(const Turn& turn) const;
  bool too_many_requests(Turn& turn) const;
  static bool stuck(Turn& turn);
  void take_back_prompt(Turn& turn);
  void take_back(Turn& turn);
  core::TurnDone finish(core::TurnDone done, platform::SteadyTime start);

  ModelClient& client_;
  ToolRunner& runner_;
  const gemini::RequestEncoder& encoder_;
  core::Hooks& hooks_;
  config::LimitSpec limits_;
  const platform::Clock& clock_;
  std::function<void()> before_request_;
  ContextKeeper& keeper_;
  gemini::History& history_;
  Spending spending_;
  Unreported unreported_;
};

}  // namespace yume::agent
