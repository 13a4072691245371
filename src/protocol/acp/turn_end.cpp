// SPDX-License-Identifier: MIT
#include "protocol/acp/turn_end.h"

#include "protocol/acp/words.h"
#include "util/json_io.h"

#include <string_view>

namespace yume::protocol {
namespace {

using core::FailureKind;
using core::StopReason;
using core::TurnOutcome;

constexpr std::size_t k_longest_message = 20'000;

std::string_view failure_name(FailureKind kind) {
  switch (kind) {
    case FailureKind::authentication:
      return "authentication";
    case FailureKind::rate_limit:
      return "rate_limit";
    case FailureKind::invalid_request:
      return "invalid_request";
    case FailureKind::model_not_found:
      return "model_not_found";
    case FailureKind::server_error:
      return "server_error";
    case FailureKind::max_output_tokens:
      return "max_output_tokens";
    case FailureKind::refusal:
      return "refusal";
    case FailureKind::none:
    case FailureKind::unknown:
      break;
  }
  return "unknown";
}

std::string_view stop_of(const core::TurnDone& done) {
  if (done.outcome == TurnOutcome::interrupted) return "cancelled";
  if (core::at_limit(done.outcome)) return "max_turn_requests";
  if (done.failure == FailureKind::refusal || done.stop == StopReason::refusal) return "refusal";
  if (done.failure == FailureKind::max_output_tokens || done.stop == StopReason::max_tokens) {
    return "max_tokens";
  }
  return "end_turn";
}

// A failure that has no stop reason of its own.
bool is_error(const core::TurnDone& done) {
  const bool failed = done.outcome == TurnOutcome::failed || done.outcome == TurnOutcome::rejected;
  return failed && done.failure != FailureKind::refusal &&
         done.failure != FailureKind::max_output_tokens;
}

jsonrpc::ErrorObject error_of(const core::TurnDone& done) {
  jsonrpc::ErrorObject error;
  if (done.failure == FailureKind::authentication) error.code = acp::k_authentication_required;
  error.message = json_prefix(done.text, k_longest_message);
  JsonWriter data(error.data.text);
  data.begin_object().field("kind", failure_name(done.failure));
  if (done.http_status != 0) data.field("status", done.http_status);
  data.end_object();
  return error;
}

void write_usage(JsonWriter& json, const core::Usage& usage) {
  json.key("usage").begin_object().field("inputTokens", usage.uncached_prompt());
  json.field("outputTokens", usage.output_tokens).field("thoughtTokens", usage.thought_tokens);
  json.field("cachedReadTokens", usage.cached_tokens);
  json.field("totalTokens", usage.prompt_tokens + usage.billed_output()).end_object();
}

}  // namespace

std::string acp_closing_text(const core::TurnDone& done) {
  const bool stopped =
      core::at_limit(done.outcome) || (done.outcome == TurnOutcome::failed && !is_error(done));
  return done.is_local_command || stopped ? done.text : std::string();
}

jsonrpc::Reply acp_turn_reply(const core::TurnDone& done) {
  if (is_error(done)) return error_of(done);
  RawJson result;
  JsonWriter json(result.text);
  json.begin_object().field("stopReason", stop_of(done));
  if (!done.total.empty()) write_usage(json, done.total);
  if (!done.files_written.empty()) {
    json.key("_meta").begin_object().key("yume").begin_object().key("filesWritten").begin_array();
    for (const std::string& file : done.files_written) json.string(file);
    json.end_array().end_object().end_object();
  }
  json.end_object();
  return result;
}

}  // namespace yume::protocol
