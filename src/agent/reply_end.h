// SPDX-License-Identifier: MIT
// How a model's reply ended, and what is said to the model or to the host about it. Decides, and
// does nothing. Pure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "agent/turn_assembler.h"
#include "core/event.h"
#include "gemini/api_error.h"
#include "gemini/model_info.h"

namespace yume::agent {

// What the model is told about calls that its reply was too long for, and about results that the
// server refuses to take.
inline constexpr std::string_view k_call_at_limit =
    "The call was not run: your reply reached the output limit before it was complete. Do the work "
    "in smaller calls, for example one part of a file at a time.";
inline constexpr std::string_view k_withheld =
    "The result was withheld, because the server refused to take it. Do without it.";

core::StopReason stop_reason(const ModelReply& reply);
bool at_output_limit(const ModelReply& reply);

// The server will refuse what was sent as often as it gets it.
bool refuses_the_content(const gemini::ApiError& failure);

// For the host: no reply at all, and a request that cannot even be made.
std::string failure_text(const gemini::ApiError& failure, const gemini::ModelInfo& model);
std::string too_long_text(std::int64_t tokens, const std::string& model, std::int64_t window);

// What was tried since the model last made progress.
struct FollowUpCounts {
  int nudges = 0;
  int continuations = 0;        // of a reply that reached the output limit
  bool own_words = false;       // asked for once
  bool least_thinking = false;  // thoughts had used up the output
};

// Counts one more; false when there were enough.
bool may_continue(FollowUpCounts& follow_ups);

struct FollowUp {
  enum class Kind {
    done,       // it was an answer
    ask_with,   // text: what the model is asked next
    ask_again,  // the same once more
    failed,     // text, failure: how the turn ends
  };
  Kind kind = Kind::done;
  std::string text = {};
  core::FailureKind failure = core::FailureKind::none;
};

struct ReplySoFar {
  bool has_text;          // of this reply
  bool answered;          // there is text of the turn
  bool own_output_limit;  // the user chose it: a reply that reaches it is not continued
};

// What a reply without calls asks for. Ending a turn in silence would look like success.
FollowUp follow_up(const ModelReply& reply, const ReplySoFar& so_far, FollowUpCounts& follow_ups);

}  // namespace yume::agent
