// SPDX-License-Identifier: MIT
#include "agent/agent_loop.h"

#include "agent/media_guard.h"
#include "agent/reply_end.h"
#include "agent/restore.h"
#include "agent/retry_policy.h"
#include "agent/turn_history.h"
#include "core/tool_names.h"
#include "util/decimal.h"

#include <algorithm>
#include <utility>

namespace yume::agent {
namespace {

using std::chrono::milliseconds;

// A hook that is never content must not keep a turn going for ever.
constexpr int k_most_sent_on = 8;
constexpr int k_most_repairs = 1;
constexpr std::string_view k_output_wanted =
    "[structured-output-enforce] You must call the StructuredOutput tool to complete this request. "
    "Call it now, with your answer.";
constexpr std::string_view k_compacted = "Compacted";
constexpr std::string_view k_nothing_to_compact =
    "Nothing to compact: the conversation is short enough as it is.";

milliseconds since(platform::SteadyTime start, const platform::Clock& clock) {
  return std::chrono::duration_cast<milliseconds>(clock.steady_now() - start);
}

void interrupt(core::TurnDone& done) {
  done.outcome = core::TurnOutcome::interrupted;
  done.stop = core::StopReason::aborted;
}

}  // namespace

struct AgentLoop::Turn {
  const tools::ToolContext& context;
  core::TurnPort& port;
  TurnHistory history;
  std::function<std::optional<core::UserMessage>()> take_more;
  std::function<bool(const std::string& why)> fall_back;
  Unreported unreported = {};  // before this turn
  core::TurnDone done = {};
  bool answered = false;  // the server accepted what was added last
  int requests = 0;
  bool overflow_cured = false;
  FollowUpCounts follow_ups = {};
  LoopGuard guard = {};
  int sent_on = 0;                  // by hooks, when the model had finished
  int output_repairs = 0;           // of an answer that did not fit the schema, or was none
  std::string output_problem = {};  // the last one's
  bool output_forced = false;       // the next reply must be the answer
};

AgentLoop::AgentLoop(ModelClient& client, ToolRunner& runner, const gemini::RequestEncoder& encoder,
                     ContextKeeper& keeper, core::Hooks& hooks, config::LimitSpec limits,
                     const platform::Clock& clock, std::function<void()> before_request)
    : client_(client),
      runner_(runner),
      encoder_(encoder),
      hooks_(hooks),
      limits_(std::move(limits)),
      clock_(clock),
      before_request_(std::move(before_request)),
      keeper_(keeper),
      history_(keeper.contents()),
      spending_(encoder.model(), limits_.meter) {}

gemini::MediaPlace AgentLoop::media_place() const {
  return encoder_.model().multimodal_results ? gemini::MediaPlace::in_response
                                             : gemini::MediaPlace::beside_response;
}

void AgentLoop::resume(core::Conversation past) {
  client_.reserve_ids(past.call_ids);
  unreported_ = unreported_of(past);
  restore(std::move(past.entries), keeper_.kept(), media_place());
  // Another model would refuse the signatures, and counts in other tokens.
  if (past.model != encoder_.model().id) {
    history_.replace_signatures();
  } else {
    keeper_.resume(past.last_request);
  }
}

void AgentLoop::on_other_model() {
  client_.on_other_model();
  keeper_.on_other_model();
  history_.replace_signatures();  // it would refuse those of another
  history_.place_media(media_place());
}

core::TurnDone AgentLoop::run(LoopInput input, const tools::ToolContext& context,
                              core::TurnPort& port) {
  const platform::SteadyTime start = clock_.steady_now();
  if (before_request_) before_request_();
  std::move(input.news.begin(), input.news.end(), std::back_inserter(unreported_.news));
  std::string note = note_for_model(unreported_, history_);
  Turn turn{.context = context,
            .port = port,
            .history = {input.message, std::move(note), port, keeper_, media_place()},
            .take_more = std::move(input.take_more),
            .fall_back = std::move(input.fall_back),
            .unreported = std::exchange(unreported_, {})};
  const std::int64_t prompt_tokens = turn.history.prompt_tokens();
  const auto ended = make_room(turn, prompt_tokens);
  if (!ended && over_budget(turn, prompt_tokens)) {
    take_back_prompt(turn);
    return finish(std::move(turn.done), start);
  }
  // What is recorded is part of the conversation, also when nothing comes of it.
  const bool asked = !ended || turn.done.outcome == core::TurnOutcome::interrupted;
  if (asked) turn.history.begin();
  if (!ended) ask_until_done(turn);
  return finish(std::move(turn.done), start);
}

void AgentLoop::ask_until_done(Turn& turn) {
  for (;;) {
    Next next = step(turn);
    if (next == Next::done) next = ask_hooks(turn);
    if (next == Next::done) return;
    if (next == Next::ask_again) --turn.requests;
    if (too_many_requests(turn)) return;
    if (before_request_) before_request_();
    if (next == Next::ask_on && make_room(turn, 0)) return;
    if (over_budget(turn, 0)) return;
  }
}

// The model has finished; a hook may want it to go on.
AgentLoop::Next AgentLoop::ask_hooks(Turn& turn) {
  const core::TurnDone& done = turn.done;
  const CancelToken& cancel = turn.context.cancel;
  if (done.outcome != core::TurnOutcome::success || done.stopped_by_hook) return Next::done;
  const auto reason =
      hooks_.before_end({.text = done.text, .was_sent_on = turn.sent_on > 0}, turn.port, cancel);
  if (!reason || cancel.stop_requested()) return Next::done;
  if (++turn.sent_on > k_most_sent_on) {
    turn.port.post(core::Notice{"Stop hooks or subagents have sent the model on " +
                                std::to_string(k_most_sent_on) +
                                " times. The turn ends all the same."});
    return Next::done;
  }
  turn.history.add_note(*reason);
  ++turn.done.num_turns;
  turn.follow_ups = {};
  return Next::ask_on;
}

core::TurnDone AgentLoop::finish(core::TurnDone done, platform::SteadyTime start) {
  done.duration = std::max(since(start, clock_), milliseconds(1));  // hosts test for > 0
  done.by_model = spending_.by_model();
  if (done.outcome == core::TurnOutcome::interrupted) unreported_.interrupted = true;
  return done;
}

bool AgentLoop::at_last_request(const Turn& turn) const {
  return limits_.max_turns > 0 && turn.requests >= limits_.max_turns;
}

bool AgentLoop::too_many_requests(Turn& turn) const {
  if (!at_last_request(turn)) return false;
  turn.done.outcome = core::TurnOutcome::max_turns;
  turn.done.max_turns = limits_.max_turns;
  turn.done.stop = core::StopReason::tool_use;
  turn.done.text = "Reached maximum number of turns (" + std::to_string(limits_.max_turns) + ")";
  return true;
}

bool AgentLoop::stuck(Turn& turn) {
  std::optional<std::string> reason = turn.guard.reason_to_end();
  if (!reason) return false;
  turn.done.outcome = core::TurnOutcome::stuck;
  turn.done.stop = core::StopReason::tool_use;
  turn.done.text = *std::move(reason);
  return true;
}

// Counted before the request: what it sends is known, and costs at least that much.
bool AgentLoop::over_budget(Turn& turn, std::int64_t more_tokens) {
  if (!limits_.max_budget_usd) return false;
  const core::Usage next{.prompt_tokens = keeper_.tokens() + more_tokens,
                         .cached_tokens = turn.done.last_request.cached_tokens};
  if (spending_.cost_with(next) <= *limits_.max_budget_usd) return false;
  turn.done.outcome = core::TurnOutcome::max_budget;
  // 0.5, not 0.500000: as the host wrote it.
  turn.done.text = "Reached maximum budget ($" + fixed_decimal(*limits_.max_budget_usd) + ")";
  return true;
}

// The message never was, and so the model was not told what came with it.
void AgentLoop::take_back_prompt(Turn& turn) {
  turn.history.take_back_prompt();
  unreported_ = std::move(turn.unreported);
}

core::TurnDone AgentLoop::compact(const std::string& focus, core::TurnPort& port,
                                  const CancelToken& cancel) {
  const platform::SteadyTime start = clock_.steady_now();
  const CompactionResult result = keeper_.compact_now(focus, port, cancel);
  core::TurnDone done;
  count_compactions(done);
  done.is_local_command = true;
  done.num_turns = 0;
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
      interrupt(done);
      break;
  }
  return finish(std::move(done), start);
}

// Nothing: the request may be made. Else how the turn ends.
std::optional<AgentLoop::Next> AgentLoop::make_room(Turn& turn, std::int64_t more_tokens) {
  const Room room = keeper_.make_room(more_tokens, turn.port, turn.context.cancel);
  count_compactions(turn.done);
  if (room == Room::enough) return std::nullopt;
  interrupt(turn.done);
  if (room == Room::none) {
    turn.done.outcome = core::TurnOutcome::failed;
    turn.done.failure = core::FailureKind::invalid_request;
    turn.done.text =
        too_long_text(keeper_.tokens() + more_tokens, encoder_.model().id, keeper_.window());
    if (turn.history.at_prompt()) take_back_prompt(turn);
  }
  return Next::done;
}

// The server counts more than we do: one compaction, one more try.
std::optional<AgentLoop::Next> AgentLoop::cure_overflow(Turn& turn,
                                                        const gemini::ApiError& failure) {
  const bool too_long = failure.remedy == gemini::Remedy::shorter_context;
  if (!too_long || std::exchange(turn.overflow_cured, true)) return std::nullopt;
  const bool first = turn.history.at_prompt();
  if (first) turn.history.lift_prompt();  // it is not to be summed up
  const Room room =
      keeper_.make_room_after_refusal(failure.token_limit, turn.port, turn.context.cancel);
  count_compactions(turn.done);
  if (first) turn.history.put_prompt();
  if (room == Room::enough) return Next::ask_again;
  if (room == Room::none) return std::nullopt;
  interrupt(turn.done);
  return Next::done;
}

// A picture or document that the server refuses is withheld: first what the server has not accepted
// yet, then, if it still names media, all of them.
std::optional<AgentLoop::Next> AgentLoop::cure_media(Turn& turn, const gemini::ApiError& failure) {
  const bool named = failure.remedy == gemini::Remedy::no_media;
  if (!named && failure.remedy != gemini::Remedy::no_new_media) return std::nullopt;
  const std::string why = refused_because(failure.error.message);
  std::size_t withheld = turn.answered ? 0 : turn.history.withhold_new_media(why);
  if (withheld == 0 && named) withheld = turn.history.withhold_all_media(why);
  if (withheld == 0) return std::nullopt;
  turn.port.post(core::Notice{"The server refused a picture or document (" + failure.error.message +
                              "). The model was asked to go on without it."});
  return Next::ask_again;
}

AgentLoop::Next AgentLoop::step(Turn& turn) {
  core::TurnDone& done = turn.done;
  const platform::SteadyTime asked = clock_.steady_now();
  ++turn.requests;
  const std::size_t position = turn.port.next_position();
  AskResult result =
      client_.ask(encoder_, history_, turn.port, turn.context.cancel,
                  {.least_thinking = turn.follow_ups.least_thinking,
                   .only_function = turn.output_forced ? std::string(core::k_structured_output)
                                                       : std::string()});
  done.api_duration += since(asked, clock_);
  ModelReply& reply = result.reply;
  keeper_.measured(reply.usage);
  spending_.bill(done, reply, encoder_.prefix_bytes() + history_.bytes());
  turn.history.add_reply(result, position);
  const bool has_text = !reply.last_text.empty();
  done.anything_ran |= reply.announced || !reply.calls.empty();

  if (result.cancelled) {
    interrupt(done);
    ++done.num_turns;  // Claude counts the marker that hosts are shown
    return Next::done;
  }
  if (result.failure) {
    if (const auto next = cure_overflow(turn, *result.failure)) return *next;
    const bool untouched = !has_text && reply.calls.empty();
    const auto next = untouched ? cure_media(turn, *result.failure) : std::nullopt;
    if (next) return *next;
    const bool other_model =
        untouched && is_overload(*result.failure) && turn.fall_back(result.failure->error.message);
    if (other_model) turn.history.place_media(media_place());
    return other_model ? Next::ask_again : fail(turn, *result.failure);
  }
  turn.answered = true;
  done.stop = stop_reason(reply);
  // A continued reply is one answer.
  if (has_text && turn.follow_ups.continuations > 0) {
    done.text += reply.last_text;
  } else if (has_text) {
    done.text = std::move(reply.last_text);
  }
  if (reply.announced) turn.port.post(core::MessageDone{done.stop, reply.usage});
  if (!reply.calls.empty()) return answer_calls(turn, reply);
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

// The model was not told what came with a prompt that never was.
void AgentLoop::take_back(Turn& turn) {
  if (turn.history.at_prompt()) unreported_ = std::move(turn.unreported);
  turn.history.take_back();
}

AgentLoop::Next AgentLoop::go_on(Turn& turn, const ModelReply& reply, bool has_text) {
  core::TurnDone& done = turn.done;
  FollowUp next = follow_up(reply,
                            {.has_text = has_text,
                             .answered = !done.text.empty(),
                             .own_output_limit = limits_.own_output_limit},
                            turn.follow_ups);
  switch (next.kind) {
    case FollowUp::Kind::done:
      return limits_.wants_structured_output && !done.structured_output ? ask_for_output(turn)
                                                                        : Next::done;
    case FollowUp::Kind::ask_with:
      turn.history.add_note(next.text);
      return Next::ask_again;
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

// The user may say something while tools run: the model learns of it with their results. When it is
// not asked any more in this turn, the message waits for a turn of its own.
void AgentLoop::hear_meanwhile(Turn& turn) const {
  if (at_last_request(turn)) return;
  auto message = turn.take_more();
  if (!message) return;
  turn.history.add_meanwhile(*std::move(message));
  ++turn.done.num_turns;
  turn.guard = {};
}

// An answer in the host's form ends the turn.
void AgentLoop::take_answer(Turn& turn, const std::vector<FinishedCall>& finished) {
  turn.output_forced = false;
  for (const FinishedCall& one : finished) {
    if (one.call.name != core::k_structured_output) continue;
    if (one.outcome.is_answer) {
      turn.done.structured_output = one.call.input;
      turn.done.text = one.call.input.text;
    } else if (one.outcome.is_error) {
      ++turn.output_repairs;
      turn.output_problem = one.outcome.content;
    }
  }
}

// The model has answered in words. It is asked once more, and the server holds it to the call.
AgentLoop::Next AgentLoop::ask_for_output(Turn& turn) {
  turn.output_problem = "the model answered in words";
  if (++turn.output_repairs > k_most_repairs) return give_up_output(turn);
  turn.history.add_note(std::string(k_output_wanted));
  ++turn.done.num_turns;
  turn.output_forced = true;
  return Next::ask_again;
}

AgentLoop::Next AgentLoop::give_up_output(Turn& turn) {
  turn.done.outcome = core::TurnOutcome::no_structured_output;
  turn.done.text =
      "The model gave no answer that fits the schema, also when it was asked once more: " +
      turn.output_problem;
  return Next::done;
}

void AgentLoop::count_compactions(core::TurnDone& done) {
  spending_.bill(done, keeper_.take_billed());
  done.num_turns += keeper_.take_compactions();  // each adds a message of the user's role
}

AgentLoop::Next AgentLoop::answer_calls(Turn& turn, ModelReply& reply) {
  const tools::ToolContext& context = turn.context;
  core::TurnDone& done = turn.done;
  const std::string record_before = turn.port.last_record();
  turn.answered = false;
  // The last call of such a reply may be cut short and look complete all the same.
  const bool at_limit = at_output_limit(reply);
  std::vector<AskedCall> calls = std::move(reply.calls);
  std::vector<FinishedCall> finished =
      at_limit ? runner_.refuse(std::move(calls), std::string(k_call_at_limit), turn.port)
               : runner_.run(std::move(calls), context, turn.port, turn.guard);
  if (context.search != nullptr) spending_.bill(done, context.search->take_billed());
  turn.history.add_results(finished, record_before);
  take_answer(turn, finished);
  done.num_turns += static_cast<int>(finished.size());
  bool stopped = context.cancel.stop_requested();
  for (FinishedCall& one : finished) {
    stopped |= one.denial == Denial::with_turn;
    done.stopped_by_hook |= one.ends_turn;
    if (one.denial != Denial::none) done.denials.push_back(std::move(one.call));
  }
  if (!at_limit) turn.follow_ups = {};
  if (at_limit && !may_continue(turn.follow_ups)) {
    done.outcome = core::TurnOutcome::failed;
    done.failure = core::FailureKind::max_output_tokens;
    done.text = "API Error: the model's replies keep reaching the output limit";
    return Next::done;
  }
  if (!stopped && done.stopped_by_hook) {
    done.text.clear();
    return Next::done;
  }
  if (!stopped && done.structured_output) return Next::done;
  if (!stopped && turn.output_repairs > k_most_repairs) return give_up_output(turn);
  if (!stopped && stuck(turn)) return Next::done;
  if (!stopped) {
    hear_meanwhile(turn);
    return Next::ask_on;
  }
  interrupt(done);
  done.interrupted_in_tool = true;
  ++done.num_turns;
  return Next::done;
}

}  // namespace yume::agent
