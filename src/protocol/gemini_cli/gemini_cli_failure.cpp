// SPDX-License-Identifier: MIT
#include "protocol/gemini_cli/gemini_cli_failure.h"

#include "util/escape_codes.h"

#include <algorithm>

namespace yume::protocol {
namespace {

constexpr std::size_t k_longest_line = 2'000;

std::string_view type_of(core::FailureKind kind) {
  switch (kind) {
    case core::FailureKind::authentication:
      return "FatalAuthenticationError";
    case core::FailureKind::rate_limit:
      return "QuotaExceededError";
    case core::FailureKind::refusal:
    case core::FailureKind::max_output_tokens:
      return "INVALID_STREAM";
    case core::FailureKind::none:
    case core::FailureKind::invalid_request:
    case core::FailureKind::model_not_found:
    case core::FailureKind::server_error:
    case core::FailureKind::unknown:
      break;
  }
  return "unknown";
}

std::string_view type_of(const core::TurnDone& done) {
  switch (done.outcome) {
    case core::TurnOutcome::max_turns:
      return "FatalTurnLimitedError";
    case core::TurnOutcome::max_budget:
      return "BudgetExceededError";
    case core::TurnOutcome::stuck:
      return "LoopDetectedError";
    case core::TurnOutcome::no_structured_output:
      return "INVALID_STREAM";
    case core::TurnOutcome::interrupted:
      return "FatalCancellationError";
    case core::TurnOutcome::timed_out:
      return "TimeoutError";
    case core::TurnOutcome::rejected:
      return "FatalInputError";
    case core::TurnOutcome::success:
    case core::TurnOutcome::failed:
      break;
  }
  return type_of(done.failure);
}

std::string_view prefix_of(const core::TurnDone& done) {
  if (done.outcome != core::TurnOutcome::failed) return "Error: ";
  if (done.failure == core::FailureKind::authentication) return "Error: auth failed: ";
  if (done.failure == core::FailureKind::rate_limit) return "Error: Quota exceeded: ";
  return "Error: ";
}

// Errors that were made for other hosts begin with the word.
std::string_view without_prefix(std::string_view text) {
  constexpr std::string_view k_prefix = "Error: ";
  return text.starts_with(k_prefix) ? text.substr(k_prefix.size()) : text;
}

}  // namespace

std::optional<GeminiCliFailure> gemini_cli_failure(const core::TurnDone& done) {
  if (done.outcome == core::TurnOutcome::success) return std::nullopt;
  const bool interrupted = done.outcome == core::TurnOutcome::interrupted;
  return GeminiCliFailure{
      .type = type_of(done),
      .message = interrupted ? "Operation cancelled." : std::string(without_prefix(done.text))};
}

std::string gemini_cli_error_line(const core::TurnDone& done, const GeminiCliFailure& failure) {
  std::string line = std::string(prefix_of(done)) + failure.message.substr(0, k_longest_line);
  std::replace(line.begin(), line.end(), '\n', ' ');
  return safe_for_terminal(line);
}

}  // namespace yume::protocol
