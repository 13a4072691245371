// SPDX-License-Identifier: MIT
#include "agent/agent_loop.h"

#include "agent/reply_end.h"
#include "agent/restore.h"
#include "util/utf8.h"

#include <algorithm>
#include <utility>

namespace yume::agent {
namespace {

using std::chrono::milliseconds;

constexpr std::int64_t k_bytes_per_token = 4;
constexpr std::size_t k_longest_request = 20'000;  // of it that a summary repeats
constexpr std::string_view k_compacted = "Compacted";
constexpr std::string_view k_nothing_to_compact =
    "Nothing to compact: the conversation is short enough as it is.";

// The model hears with its next results what has ended in the background meanwhile.
void add_news(const std::vector<std::string>& news,
              std::vector<gemini::FunctionResponse>& responses) {
  if (responses.empty()) return;
  for (const std::string& one : news) {
    responses.back().text += "\n\n<system-reminder>" + one + "</system-reminder>";
  }
}

milliseconds since(platform::SteadyTime start, const platform::Clock& clock) {
  return std::chrono::duration_cast<milliseconds>(clock.steady_now() - start);
}

std::string text_for_model(const core::ToolOutcome& outcome) {
  if (outcome.model_note.empty()) return outcome.content;
  return outcome.content + (outcome.content.empty() ? "" : "\n\n") + outcome.model_note;
}

}  // namespace

struct AgentLoop::Turn {
  const core::UserMessage& message;
  core::TurnDone done = {};
  gemini::History::Mark start = {};  // before the user's message
  std::vector<gemini::FunctionResponse> last_responses = {};
  std::vector<std::string> last_calls = {};  // their ids, as hosts know them
  int requests = 0;
  bool overflow_cured = false;
  Pushes pushes = {};
};

AgentLoop::AgentLoop(ModelClient& client, ToolRunner& runner, const gemini::RequestEncoder& encoder,
                     ContextKeeper& keeper, LoopLimits limits, const platform::Clock& clock,
                     session::Journal& journal)
    : client_(client),
      runner_(runner),
      encoder_(encoder),
      limits_(limits),
      clock_(clock),
      journal_(journal),
      keeper_(keeper),
      history_(keeper.contents()) {}

gemini::MediaPlace AgentLoop::media_place() const {
  return encoder_.model().multimodal_results ? gemini::MediaPlace::in_response
                                             : gemini::MediaPlace::beside_response;
}

void AgentLoop::resume(core::Conversation past) {
  client_.reserve_ids(past.call_ids);
  restore(std::move(past.entries), keeper_.kept(), media_place());
  // Another model would refuse the signatures, and counts in other tokens.
  if (past.model != encoder_.model().id) {
    history_.replace_signatures();
  } else {
    keeper_.resume(past.last_request);
  }
}

core::TurnDone AgentLoop::run(const core::UserMessage& message, const tools::ToolContext& context,
                              core::EventSink& sink) {
  const platform::SteadyTime start = clock_.steady_now();
  Turn turn{.message = message};
  gemini::History added;
  added.add_user(message);
  if (make_room(turn, added.tokens(), context, sink)) return finish(std::move(turn), start);
  add_prompt(turn);
  for (;;) {
    const Next next = step(turn, context, sink);
    if (next == Next::done) break;
    if (next == Next::ask_again) --turn.requests;
    if (limits_.max_turns > 0 && turn.requests >= limits_.max_turns) {
      turn.done.outcome = core::TurnOutcome::max_turns;
      turn.done.max_turns = limits_.max_turns;
      turn.done.stop = core::StopReason::tool_use;
      turn.done.text =
          "Reached maximum number of turns (" + std::to_string(limits_.max_turns) + ")";
      break;
    }
    if (next == Next::ask_on && make_room(turn, 0, context, sink)) break;
  }
  return finish(std::move(turn), start);
}

core::TurnDone AgentLoop::finish(Turn turn, platform::SteadyTime start) {
  turn.done.duration = std::max(since(start, clock_), milliseconds(1));  // hosts test for > 0
  turn.done.by_model = by_model_;
  return std::move(turn.done);
}

void AgentLoop::add_prompt(Turn& turn) {
  turn.start = history_.mark();
  history_.add_user(turn.message);
  keeper_.kept().note(journal_.prompt_position());
  keeper_.set_user_request(std::string(utf8_prefix(turn.message.text(), k_longest_request)));
}

core::TurnDone AgentLoop::compact(const std::string& focus, core::EventSink& sink,
                                  const CancelToken& cancel) {
  const platform::SteadyTime start = clock_.steady_now();
  Turn turn{.message = {}};
  const CompactionResult result = keeper_.compact_now(focus, sink, cancel);
  count_compactions(turn);
  core::TurnDone& done = turn.done;
  done.is_local_command = true;
  done.num_turns = 0;
  done.last_request = {};
  switch (result.end) {
    case CompactionEnd::done:
      done.text = k_compacted;
      done.compacted = true;
      break;
    case CompactionEnd::nothing_to_do:
      done.text = k_nothing_to_compact;
      break;
    case CompactionEnd::failed:
      done.outcome = core::TurnOutcome::failed;
      done.failure = core::FailureKind::unknown;
      done.text = "Error: the conversation could not be compacted: " + result.reason +
                  ". It is unchanged; try again, or go on without.";
      break;
    case CompactionEnd::cancelled:
      done.outcome = core::TurnOutcome::interrupted;
      done.stop = core::StopReason::aborted;
      break;
  }
  return finish(std::move(turn), start);
}

// Nothing: the request may be made. Else how the turn ends.
std::optional<AgentLoop::Next> AgentLoop::make_room(Turn& turn, std::int64_t more_tokens,
                                                    const tools::ToolContext& context,
                                                    core::EventSink& sink) {
  const Room room = keeper_.make_room(more_tokens, sink, context.cancel);
  count_compactions(turn);
  if (room == Room::enough) return std::nullopt;
  turn.done.outcome =
      room == Room::cancelled ? core::TurnOutcome::interrupted : core::TurnOutcome::failed;
  turn.done.stop = core::StopReason::aborted;
  if (room == Room::none) {
    turn.done.failure = core::FailureKind::invalid_request;
    turn.done.text =
        too_long_text(keeper_.tokens() + more_tokens, encoder_.model().id, keeper_.window());
    if (turn.last_responses.empty()) journal_.take_back_prompt();
  }
  return Next::done;
}

// The server counts more than we do: one compaction, one more try.
std::optional<AgentLoop::Next> AgentLoop::cure_overflow(Turn& turn, const gemini::ApiError& failure,
                                                        const tools::ToolContext& context,
                                                        core::EventSink& sink) {
  const bool too_long = failure.remedy == gemini::Remedy::shorter_context;
  if (!too_long || std::exchange(turn.overflow_cured, true)) return std::nullopt;
  const bool first = turn.last_responses.empty();
  // The message itself is not to be summed up.
  if (first) {
    history_.rewind(turn.start);
    keeper_.kept().note(0);
  }
  const Room room = keeper_.make_room_after_refusal(failure.token_limit, sink, context.cancel);
  count_compactions(turn);
  if (first) add_prompt(turn);
  if (room == Room::enough) return Next::ask_again;
  if (room == Room::none) return std::nullopt;
  turn.done.outcome = core::TurnOutcome::interrupted;
  turn.done.stop = core::StopReason::aborted;
  return Next::done;
}

AgentLoop::Next AgentLoop::step(Turn& turn, const tools::ToolContext& context,
                                core::EventSink& sink) {
  core::TurnDone& done = turn.done;
  const platform::SteadyTime asked = clock_.steady_now();
  ++turn.requests;
  const std::size_t position = journal_.position();
  AskResult result = client_.ask(encoder_, history_, sink, context.cancel,
                                 {.least_thinking = turn.pushes.least_thinking});
  done.api_duration += since(asked, clock_);
  keeper_.kept().note(position);
  ModelReply& reply = result.reply;
  keeper_.measured(reply.usage);
  count(turn, reply);
  const bool has_text = !reply.last_text.empty();
  // Signatures alone are no content the server would take back.
  if (has_text || !reply.calls.empty()) {
    history_.add_model_parts(reply.parts);
    keeper_.kept().note(position);
    remember(result);
  }
  done.anything_ran |= reply.announced || !reply.calls.empty();

  if (result.cancelled) {
    done.outcome = core::TurnOutcome::interrupted;
    done.stop = core::StopReason::aborted;
    ++done.num_turns;  // Claude counts the marker that hosts are shown
    return Next::done;
  }
  if (result.failure) {
    if (const auto next = cure_overflow(turn, *result.failure, context, sink)) return *next;
    return fail(turn, *result.failure);
  }
  done.stop = stop_reason(reply);
  // A continued reply is one answer.
  if (has_text && turn.pushes.continuations > 0) {
    done.text += reply.last_text;
  } else if (has_text) {
    done.text = std::move(reply.last_text);
  }
  if (reply.announced) sink.post(core::MessageDone{done.stop, reply.usage});
  if (!reply.calls.empty()) return answer_calls(turn, reply, context, sink);
  return go_on(turn, reply, has_text);
}

AgentLoop::Next AgentLoop::fail(Turn& turn, const gemini::ApiError& failure) {
  turn.done.outcome = core::TurnOutcome::failed;
  turn.done.failure = failure.kind;
  turn.done.http_status = failure.error.http_status;
  turn.done.text = failure_text(failure, encoder_.model());
  if (refuses_the_content(failure)) take_back(turn);
  return Next::done;
}

// The conversation must go on without what the server refuses: the user's message, or the results
// that the last calls brought.
void AgentLoop::take_back(Turn& turn) {
  if (turn.last_responses.empty()) {
    history_.rewind(turn.start);
    keeper_.kept().note(0);
    journal_.take_back_prompt();
    return;
  }
  journal_.withhold(turn.last_calls, k_withheld);
  for (gemini::FunctionResponse& response : turn.last_responses) {
    response.text = std::string(k_withheld);
    response.media.clear();
    response.is_error = true;
  }
  history_.withhold_last_responses(turn.last_responses);
}

AgentLoop::Next AgentLoop::ask_with(std::string_view text) {
  history_.add_user_text(text);
  keeper_.kept().note(journal_.position());
  journal_.prompt(core::UserMessage(std::string(text)), session::PromptKind::synthetic);
  return Next::ask_again;
}

AgentLoop::Next AgentLoop::go_on(Turn& turn, const ModelReply& reply, bool has_text) {
  core::TurnDone& done = turn.done;
  FollowUp next = follow_up(reply,
                            {.has_text = has_text,
                             .answered = !done.text.empty(),
                             .own_output_limit = limits_.own_output_limit},
                            turn.pushes);
  switch (next.kind) {
    case FollowUp::Kind::done:
      return Next::done;
    case FollowUp::Kind::ask_with:
      return ask_with(next.text);
    case FollowUp::Kind::ask_again:
      return Next::ask_again;
    case FollowUp::Kind::failed:
      break;
  }
  if (reply.prompt_blocked) take_back(turn);
  done.outcome = core::TurnOutcome::failed;
  done.failure = next.failure;
  if (next.failure == core::FailureKind::refusal) done.stop = core::StopReason::refusal;
  done.text = std::move(next.text);
  return Next::done;
}

// The form in which the server wants the reply back; the lines hosts see do not say it.
void AgentLoop::remember(const AskResult& result) {
  for (const core::RawContent& piece : result.before) {
    journal_.content(result.reply.message_id, piece, {});
  }
  std::vector<core::PastCall> calls;
  for (const ModelCall& call : result.reply.calls) {
    calls.push_back(
        {.id = call.id, .name = call.name, .input = {}, .provider_id = call.provider_id});
  }
  journal_.content(result.reply.message_id, {.from_model = true, .parts = result.reply.parts},
                   calls);
}

void AgentLoop::count(Turn& turn, ModelReply& reply) {
  if (reply.billed.empty() && (reply.text_bytes > 0 || reply.announced)) {
    const auto tokens = [](std::size_t bytes) {
      return static_cast<std::int64_t>(bytes) / k_bytes_per_token + 1;
    };
    reply.usage = {.prompt_tokens = tokens(encoder_.prefix_bytes() + history_.bytes()),
                   .output_tokens = tokens(reply.text_bytes),
                   .estimated = true};
    reply.billed.push_back(reply.usage);
  }
  if (!reply.usage.empty()) turn.done.last_request = reply.usage;
  bill(turn.done, reply.billed);
}

void AgentLoop::bill(core::TurnDone& done, const std::vector<core::Usage>& billed) {
  if (billed.empty()) return;
  const gemini::ModelInfo& info = encoder_.model();
  core::ModelUsage& model = by_model_[info.id];
  for (const core::Usage& usage : billed) {
    done.total += usage;
    model.usage += usage;
    model.cost_usd += gemini::cost_usd(info, usage);
  }
  model.context_window = info.context_window;
  model.max_output_tokens = info.max_output_tokens;
}

void AgentLoop::count_compactions(Turn& turn) {
  bill(turn.done, keeper_.take_billed());
  turn.done.num_turns += keeper_.take_compactions();  // each adds a message of the user's role
}

AgentLoop::Next AgentLoop::answer_calls(Turn& turn, const ModelReply& reply,
                                        const tools::ToolContext& context, core::EventSink& sink) {
  // The last call of such a reply may be cut short and look complete all the same.
  const bool at_limit = at_output_limit(reply);
  const std::vector<FinishedCall> finished =
      at_limit ? runner_.refuse(reply.calls, std::string(k_call_at_limit), sink)
               : runner_.run(reply.calls, context, sink);
  if (context.search != nullptr) bill(turn.done, context.search->take_billed());
  std::vector<gemini::FunctionResponse>& responses = turn.last_responses;
  responses.clear();
  turn.last_calls.clear();
  for (const FinishedCall& call : finished) {
    turn.last_calls.push_back(call.call.id);
    responses.push_back({.call_id = call.provider_id,
                         .name = call.provider_name,
                         .text = text_for_model(call.outcome),
                         .media = call.outcome.media,
                         .is_error = call.outcome.is_error});
    if (call.denied) {
      turn.done.denials.push_back({.tool_name = call.call.name,
                                   .tool_use_id = call.call.id,
                                   .tool_input = call.call.input});
    }
    ++turn.done.num_turns;
  }
  add_news(context.shell.background().take_news(), responses);
  history_.add_function_responses(responses, media_place());
  keeper_.kept().note(journal_.position());
  if (!at_limit) turn.pushes = {};
  if (at_limit && !may_continue(turn.pushes)) {
    turn.done.outcome = core::TurnOutcome::failed;
    turn.done.failure = core::FailureKind::max_output_tokens;
    turn.done.text = "API Error: the model's replies keep reaching the output limit";
    return Next::done;
  }
  const bool stopped = std::any_of(finished.begin(), finished.end(),
                                   [](const FinishedCall& call) { return call.ends_turn; });
  if (!stopped && !context.cancel.stop_requested()) return Next::ask_on;
  turn.done.outcome = core::TurnOutcome::interrupted;
  turn.done.interrupted_in_tool = true;
  turn.done.stop = core::StopReason::aborted;
  ++turn.done.num_turns;
  return Next::done;
}

}  // namespace yume::agent
