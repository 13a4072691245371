// SPDX-License-Identifier: MIT
#include "foreign/acp_reply.h"

#include "foreign/failure_words.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

#include <algorithm>

namespace yume::foreign {
namespace {

using nlohmann::json;

constexpr std::int64_t k_authentication_required = -32000;
constexpr std::int64_t k_most = 0xFFFF'FFFF;

const json& member(const json& object, const char* key) {
  static const json k_none;
  if (!object.is_object()) return k_none;
  const auto found = object.find(key);
  return found == object.end() ? k_none : *found;
}

std::int64_t count_at(const json& object, const char* key) {
  const json& value = member(object, key);
  return value.is_number_integer() ? std::clamp<std::int64_t>(value.get<std::int64_t>(), 0, k_most)
                                   : 0;
}

// gemini's, in which thoughts are not counted.
core::Usage token_count(const json& counts) {
  return {.prompt_tokens = count_at(counts, "input_tokens"),
          .output_tokens = count_at(counts, "output_tokens")};
}

void read_usage(const json& result, const std::string& model, core::TurnDone& done) {
  if (const json& usage = member(result, "usage"); usage.is_object()) {
    const std::int64_t cached = count_at(usage, "cachedReadTokens");
    done.total = {.prompt_tokens = count_at(usage, "inputTokens") + cached +
                                   count_at(usage, "cachedWriteTokens"),
                  .cached_tokens = cached,
                  .output_tokens = count_at(usage, "outputTokens"),
                  .thought_tokens = count_at(usage, "thoughtTokens")};
  }
  const json& quota = member(member(result, "_meta"), "quota");
  if (done.total.empty()) done.total = token_count(member(quota, "token_count"));
  const json& models = member(quota, "model_usage");
  if (models.is_array()) {
    for (const json& one : models) {
      if (!one.is_object()) continue;
      done.by_model[text_at(one, "model")].usage += token_count(member(one, "token_count"));
    }
  }
  if (done.by_model.empty() && !done.total.empty() && !model.empty()) {
    done.by_model[model].usage = done.total;
  }
}

void read_stop(const std::string& reason, core::TurnDone& done) {
  if (reason == "end_turn") return;
  if (reason == "max_tokens") {
    done.stop = core::StopReason::max_tokens;
    return;
  }
  if (reason == "cancelled") {
    done.outcome = core::TurnOutcome::interrupted;
    done.stop = core::StopReason::aborted;
    return;
  }
  if (reason == "max_turn_requests") {
    done.outcome = core::TurnOutcome::max_turns;
    done.stop = core::StopReason::tool_use;
    done.text = "The agent reached its limit of requests in one turn";
    return;
  }
  done.outcome = core::TurnOutcome::failed;
  const bool refused = reason == "refusal";
  done.failure = refused ? core::FailureKind::refusal : core::FailureKind::unknown;
  if (refused) done.stop = core::StopReason::refusal;
  done.text = refused          ? "The agent refused to go on"
              : reason.empty() ? "The agent did not say how the turn ended"
                               : "The agent ended the turn: " + reason;
}

}  // namespace

std::string error_text(const jsonrpc::ErrorObject& error) {
  std::string text = error.message;
  if (text.starts_with('{')) {
    const json inner = read_json(text);
    const std::string said = inner.is_object() ? text_at(member(inner, "error"), "message") : "";
    if (!said.empty()) text = said;
  }
  const json data = error.data.text.empty() ? json() : read_json(error.data.text);
  std::string more = data.is_string() ? data.get<std::string>() : "";
  for (const char* key : {"details", "message"}) {
    if (more.empty() && data.is_object()) more = text_at(data, key);
  }
  if (more.empty() || text.find(more) != std::string::npos) return text;
  return text.empty() ? more : text + ": " + more;
}

core::FailureKind failure_kind_of(const jsonrpc::ErrorObject& error) {
  if (error.code == k_authentication_required) return core::FailureKind::authentication;
  // gemini has the status of the API's answer there.
  if (error.code >= 400 && error.code < 600) {
    const FailureGuess guess = guess_failure(error_text(error));
    const auto by_code = failure_kind_of(static_cast<int>(error.code));
    return guess.kind == core::FailureKind::unknown ? by_code : guess.kind;
  }
  return guess_failure(error_text(error)).kind;
}

core::TurnDone turn_end_of(const jsonrpc::Reply& reply, const std::string& model) {
  core::TurnDone done;
  std::visit(Overloaded{
                 [&](const RawJson& result) {
                   const json value = read_json(result.text);
                   read_stop(value.is_object() ? text_at(value, "stopReason") : "", done);
                   read_usage(value, model, done);
                 },
                 [&](const jsonrpc::ErrorObject& error) {
                   done.outcome = core::TurnOutcome::failed;
                   done.failure = failure_kind_of(error);
                   done.text = error_text(error);
                   if (error.code >= 400 && error.code < 600) {
                     done.http_status = static_cast<int>(error.code);
                   }
                 },
             },
             reply);
  return done;
}

}  // namespace yume::foreign
