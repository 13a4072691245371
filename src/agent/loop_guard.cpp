// SPDX-License-Identifier: MIT
#include "agent/loop_guard.h"

#include <functional>
#include <string_view>

namespace yume::agent {
namespace {

constexpr int k_same_denials_to_warn = 3;
constexpr int k_denials_to_end = 10;
// Waiting for a command in the background looks the same: `sleep 30`, "still running", again. So
// the model gets some patience, and three warnings.
constexpr int k_repeats_to_warn = 10;
constexpr int k_repeats_to_end = 40;

std::size_t combine(std::size_t hash, std::string_view text) {
  constexpr std::size_t k_odd = 0x9E3779B97F4A7C15U;  // spreads the bits
  return (hash ^ std::hash<std::string_view>{}(text)) * k_odd;
}

std::size_t hash_of(const core::ToolCall& call) {
  return combine(combine(0, call.name), call.input.text);
}

void warn(core::ToolOutcome& outcome, const std::string& text) {
  outcome.content.append(outcome.content.empty() ? "" : "\n\n").append(text);
}

}  // namespace

void LoopGuard::observe(FinishedCall& finished) {
  if (finished.denial != Denial::none) {
    observe_denial(finished);
    return;
  }
  same_denials_ = 0;
  if (!finished.outcome.is_error) denials_ = 0;
  observe_result(finished);
}

void LoopGuard::observe_denial(FinishedCall& finished) {
  ++denials_;
  const std::size_t call = hash_of(finished.call);
  same_denials_ = same_denials_ > 0 && call == last_denied_ ? same_denials_ + 1 : 1;
  last_denied_ = call;
  if (same_denials_ < k_same_denials_to_warn) return;
  warn(finished.outcome, "This call was denied " + std::to_string(same_denials_) +
                             " times in a row. Repeating it will not help: do without it, or end "
                             "your turn and tell the user what you need.");
}

void LoopGuard::observe_result(FinishedCall& finished) {
  const core::ToolOutcome& outcome = finished.outcome;
  const std::size_t call =
      combine(combine(hash_of(finished.call), outcome.content), outcome.is_error ? "error" : "ok");
  repeats_ = seen_.insert(call).second ? 0 : repeats_ + 1;
  if (repeats_ == 0 || repeats_ % k_repeats_to_warn != 0) return;
  warn(finished.outcome,
       "The last " + std::to_string(repeats_) +
           " calls repeated earlier ones and brought the same results. Do something else, or end "
           "your turn and tell the user what is missing. After " +
           std::to_string(k_repeats_to_end) + " such calls the turn is ended.");
}

std::optional<std::string> LoopGuard::reason_to_end() const {
  if (denials_ >= k_denials_to_end) {
    return "The turn was ended because " + std::to_string(denials_) +
           " tool calls were denied and none succeeded. Allow what is needed (--allowedTools, "
           "--permission-mode), or ask for something else.";
  }
  if (repeats_ >= k_repeats_to_end) {
    return "The turn was ended because the model went round in circles: its last " +
           std::to_string(repeats_) +
           " tool calls repeated earlier ones and brought the same results. Ask again in other "
           "words, or with a stronger model.";
  }
  return std::nullopt;
}

}  // namespace yume::agent
