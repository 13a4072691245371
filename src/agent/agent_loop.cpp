// SPDX-License-Identifier: MIT
#include "agent/agent_loop.h"

#include <algorithm>
#include <utility>

namespace yume::agent {
namespace {

using std::chrono::milliseconds;

constexpr int k_max_nudges = 2;
constexpr std::string_view k_nudge =
    "Your last reply was empty. Answer the request, or call a tool.";

milliseconds since(platform::SteadyTime start, const platform::Clock& clock) {
  return std::chrono::duration_cast<milliseconds>(clock.steady_now() - start);
}

core::StopReason stop_reason(const ModelReply& reply) {
  if (!reply.calls.empty()) return core::StopReason::tool_use;
  if (!reply.finish) return core::StopReason::aborted;
  switch (reply.finish->reason) {
    case gemini::FinishReason::max_tokens:
      return core::StopReason::max_tokens;
    case gemini::FinishReason::blocked:
      return core::StopReason::refusal;
    default:
      return core::StopReason::end_turn;
  }
}

// A reply the filters stopped; nullopt for every other end.
std::optional<std::string> refusal_text(const ModelReply& reply) {
  if (reply.prompt_blocked) {
    return "API Error: the request was blocked by the model's filters (" + *reply.prompt_blocked +
           "). Rephrase it, or remove the content that set them off.";
  }
  if (reply.finish && reply.finish->reason == gemini::FinishReason::blocked &&
      reply.calls.empty()) {
    std::string text =
        "API Error: the reply was stopped by the model's filters (" + reply.finish->name + ")";
    if (!reply.finish->message.empty()) text += ": " + reply.finish->message;
    return text;
  }
  return std::nullopt;
}

}  // namespace

struct AgentLoop::Turn {
  core::TurnDone done;
  int requests = 0;
  int nudges = 0;
};

AgentLoop::AgentLoop(ModelClient& client, ToolRunner& runner, const gemini::RequestEncoder& encoder,
                     gemini::ModelInfo model, LoopLimits limits, const platform::Clock& clock)
    : client_(client),
      runner_(runner),
      encoder_(encoder),
      model_(std::move(model)),
      limits_(limits),
      clock_(clock) {}

core::TurnDone AgentLoop::run(const core::UserMessage& message, const tools::ToolContext& context,
                              core::EventSink& sink) {
  const platform::SteadyTime start = clock_.steady_now();
  Turn turn;
  history_.add_user_text(message.text);
  while (step(turn, context, sink)) {
    if (limits_.max_turns > 0 && turn.requests >= limits_.max_turns) {
      turn.done.outcome = core::TurnOutcome::max_turns;
      turn.done.max_turns = limits_.max_turns;
      turn.done.stop = core::StopReason::tool_use;
      turn.done.text =
          "Reached maximum number of turns (" + std::to_string(limits_.max_turns) + ")";
      break;
    }
  }
  turn.done.duration = std::max(since(start, clock_), milliseconds(1));  // hosts test for > 0
  turn.done.by_model = by_model_;
  return std::move(turn.done);
}

bool AgentLoop::step(Turn& turn, const tools::ToolContext& context, core::EventSink& sink) {
  core::TurnDone& done = turn.done;
  const platform::SteadyTime asked = clock_.steady_now();
  ++turn.requests;
  AskResult asked_result = client_.ask(encoder_, history_, sink, context.cancel);
  done.api_duration += since(asked, clock_);
  ModelReply& reply = asked_result.reply;
  count(turn, reply);
  history_.add_model_parts(reply.parts);
  done.anything_ran |= reply.announced || !reply.calls.empty();

  if (asked_result.cancelled) {
    done.outcome = core::TurnOutcome::interrupted;
    done.stop = core::StopReason::aborted;
    ++done.num_turns;  // Claude counts the marker that hosts are shown
    return false;
  }
  if (asked_result.failure) {
    done.outcome = core::TurnOutcome::failed;
    done.failure = asked_result.failure->kind;
    done.http_status = asked_result.failure->error.http_status;
    done.text = asked_result.failure->error.message;
    return false;
  }
  done.stop = stop_reason(reply);
  const bool has_text = !reply.last_text.empty();
  if (has_text) done.text = std::move(reply.last_text);
  if (auto refusal = refusal_text(reply)) {
    done.outcome = core::TurnOutcome::failed;
    done.failure = core::FailureKind::refusal;
    done.text = *std::move(refusal);
    return false;
  }
  if (!reply.calls.empty()) {
    sink.post(core::UsageUpdated{reply.usage});
    return run_calls(turn, reply, context, sink);
  }
  if (reply.announced) sink.post(core::MessageDone{done.stop, reply.usage});
  if (has_text || !nudge(turn, reply)) return false;
  --turn.requests;  // the same question once more
  return step(turn, context, sink);
}

// A reply without text and without calls. True: asked the model to go on. Otherwise the turn has
// failed: ending it in silence would look like success.
bool AgentLoop::nudge(Turn& turn, const ModelReply& reply) {
  if (turn.nudges++ < k_max_nudges) {
    history_.add_user_text(k_nudge);
    return true;
  }
  turn.done.outcome = core::TurnOutcome::failed;
  turn.done.failure = core::FailureKind::server_error;
  turn.done.text = "API Error: the model returned an empty reply (" +
                   (reply.finish ? reply.finish->name : std::string("no finish reason")) + ")";
  return false;
}

void AgentLoop::count(Turn& turn, const ModelReply& reply) {
  if (!reply.usage.empty()) turn.done.last_request = reply.usage;
  if (reply.billed.empty()) return;
  turn.done.total += reply.billed;
  core::ModelUsage& model = by_model_[model_.id];
  model.usage += reply.billed;
  model.cost_usd += gemini::cost_usd(model_, reply.billed);
  model.context_window = model_.context_window;
  model.max_output_tokens = model_.max_output_tokens;
}

bool AgentLoop::run_calls(Turn& turn, const ModelReply& reply, const tools::ToolContext& context,
                          core::EventSink& sink) {
  const std::vector<FinishedCall> finished = runner_.run(reply.calls, context, sink);
  sink.post(core::MessageDone{core::StopReason::tool_use, reply.usage});
  std::vector<gemini::FunctionResponse> responses;
  for (const FinishedCall& call : finished) {
    responses.push_back({.call_id = call.provider_id,
                         .name = call.provider_name,
                         .text = call.outcome.content,
                         .is_error = call.outcome.is_error});
    if (call.denied) {
      turn.done.denials.push_back({.tool_name = call.call.name,
                                   .tool_use_id = call.call.id,
                                   .tool_input = call.call.input});
    }
    ++turn.done.num_turns;
  }
  history_.add_function_responses(responses);
  if (!context.cancel.stop_requested()) return true;
  turn.done.outcome = core::TurnOutcome::interrupted;
  turn.done.interrupted_in_tool = true;
  turn.done.stop = core::StopReason::aborted;
  ++turn.done.num_turns;
  return false;
}

}  // namespace yume::agent
