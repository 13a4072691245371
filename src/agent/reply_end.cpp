// SPDX-License-Identifier: MIT
#include "agent/reply_end.h"

#include <optional>
#include <utility>

namespace yume::agent {
namespace {

using Kind = FollowUp::Kind;

constexpr int k_max_nudges = 2;
constexpr int k_max_continuations = 3;
constexpr std::string_view k_nudge =
    "Your last reply was empty. Answer the request, or call a tool.";
constexpr std::string_view k_own_words =
    "Your last reply was stopped because it repeated known text too closely. Answer in your own "
    "words and quote nothing at length.";
constexpr std::string_view k_output_limit =
    "Your last reply reached the output limit. Go on exactly where it stopped; do not repeat "
    "anything of it.";

std::string call_cut_off(const std::string& tool) {
  return "Your last reply reached the output limit inside a call of " + tool +
         ", which was not run. Do the work in smaller calls, for example one part of a file at a "
         "time.";
}

bool ended_with(const ModelReply& reply, gemini::FinishReason reason) {
  return reply.finish && reply.finish->reason == reason;
}

FollowUp ask_with(std::string_view text) {
  return {.kind = Kind::ask_with, .text = std::string(text)};
}

// A reply the filters stopped; nullopt for every other end.
std::optional<std::string> refusal_text(const ModelReply& reply) {
  if (reply.prompt_blocked) {
    return "API Error: the request was blocked by the model's filters (" + *reply.prompt_blocked +
           "). Rephrase it, or remove the content that set them off.";
  }
  const bool stopped = ended_with(reply, gemini::FinishReason::blocked) ||
                       ended_with(reply, gemini::FinishReason::recitation);
  if (!stopped || !reply.calls.empty()) return std::nullopt;
  std::string text =
      "API Error: the reply was stopped by the model's filters (" + reply.finish->name + ")";
  if (!reply.finish->message.empty()) text += ": " + reply.finish->message;
  return text;
}

FollowUp empty_reply(const ModelReply& reply, bool at_limit) {
  std::string text = "API Error: the model returned an empty reply (" +
                     (reply.finish ? reply.finish->name : std::string("no finish reason")) + ")";
  if (at_limit) text += "; its output limit was used up by thinking, try a lower --effort";
  return {
      .kind = Kind::failed,
      .text = std::move(text),
      .failure = at_limit ? core::FailureKind::max_output_tokens : core::FailureKind::server_error};
}

}  // namespace

core::StopReason stop_reason(const ModelReply& reply) {
  if (!reply.calls.empty()) return core::StopReason::tool_use;
  if (!reply.finish) return core::StopReason::aborted;
  switch (reply.finish->reason) {
    case gemini::FinishReason::max_tokens:
    case gemini::FinishReason::continuation:  // of a hop that could not be followed by another
      return core::StopReason::max_tokens;
    case gemini::FinishReason::blocked:
    case gemini::FinishReason::recitation:
      return core::StopReason::refusal;
    default:
      return core::StopReason::end_turn;
  }
}

bool at_output_limit(const ModelReply& reply) {
  return ended_with(reply, gemini::FinishReason::max_tokens) ||
         ended_with(reply, gemini::FinishReason::continuation);
}

bool refuses_the_content(const gemini::ApiError& failure) {
  return failure.error.http_status == 400 || failure.error.http_status == 413;
}

std::string failure_text(const gemini::ApiError& failure, const gemini::ModelInfo& model) {
  const bool replaced =
      failure.kind == core::FailureKind::model_not_found && !model.replacement.empty();
  // A name that cannot be resolved: what a missing network looks like.
  const bool offline = failure.error.code == ErrorCode::not_found && failure.error.http_status == 0;
  return failure.error.message +
         (replaced ? "; " + model.id + " has been replaced by " + model.replacement : "") +
         (offline ? " \xC2\xB7 Is this machine offline? `yume-cli doctor` says what is wrong" : "");
}

std::string too_long_text(std::int64_t tokens, const std::string& model, std::int64_t window) {
  return "API Error: Prompt is too long: this would take about " + std::to_string(tokens) +
         " tokens, and " + model + " takes " + std::to_string(window) +
         ". Make the message shorter, choose a model with a larger window, or begin a new session.";
}

bool may_continue(FollowUpCounts& follow_ups) {
  return follow_ups.continuations++ < k_max_continuations;
}

FollowUp follow_up(const ModelReply& reply, const ReplySoFar& so_far, FollowUpCounts& follow_ups) {
  if (ended_with(reply, gemini::FinishReason::recitation) &&
      !std::exchange(follow_ups.own_words, true)) {
    return ask_with(k_own_words);
  }
  if (auto refusal = refusal_text(reply)) {
    return {
        .kind = Kind::failed, .text = *std::move(refusal), .failure = core::FailureKind::refusal};
  }
  const bool at_limit = at_output_limit(reply);
  if (!reply.cut_call.empty() && may_continue(follow_ups)) {
    return ask_with(call_cut_off(reply.cut_call));
  }
  if (so_far.has_text) {
    const bool go_on = at_limit && !so_far.own_output_limit;
    return go_on && may_continue(follow_ups) ? ask_with(k_output_limit) : FollowUp{};
  }
  // Nothing more to say, when asked to go on, is an end.
  if (follow_ups.continuations > 0 && so_far.answered && !at_limit) return {};
  if (at_limit && !std::exchange(follow_ups.least_thinking, true)) return {.kind = Kind::ask_again};
  if (!at_limit && follow_ups.nudges++ < k_max_nudges) return ask_with(k_nudge);
  return empty_reply(reply, at_limit);
}

}  // namespace yume::agent
