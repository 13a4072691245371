// SPDX-License-Identifier: MIT
#include "foreign/claude_result.h"

#include "foreign/failure_words.h"
#include "util/json_tree.h"

#include <algorithm>

namespace yume::foreign {
namespace {

using nlohmann::json;

double amount_at(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number() ? found->get<double>() : 0;
}

bool is_set(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

core::ModelUsage model_usage_of(const json& counts) {
  const std::int64_t cached = claude_count(counts, "cacheReadInputTokens");
  return {.usage = {.prompt_tokens = claude_count(counts, "inputTokens") + cached +
                                     claude_count(counts, "cacheCreationInputTokens"),
                    .cached_tokens = cached,
                    .output_tokens = claude_count(counts, "outputTokens"),
                    .web_searches = claude_count(counts, "webSearchRequests")},
          .cost_usd = amount_at(counts, "costUSD"),
          .context_window = claude_count(counts, "contextWindow"),
          .max_output_tokens = claude_count(counts, "maxOutputTokens")};
}

core::StopReason stop_reason(std::string_view name) {
  if (name == "tool_use") return core::StopReason::tool_use;
  if (name == "max_tokens") return core::StopReason::max_tokens;
  if (name == "refusal") return core::StopReason::refusal;
  return core::StopReason::end_turn;
}

bool any_contains(const std::vector<std::string>& texts, std::string_view words) {
  return std::any_of(texts.begin(), texts.end(), [words](const std::string& text) {
    return text.find(words) != std::string::npos;
  });
}

core::TurnOutcome outcome_of(const json& result, const std::vector<std::string>& errors) {
  const std::string subtype = text_at(result, "subtype");
  const std::string reason = text_at(result, "terminal_reason");
  if (subtype == "success") {
    return is_set(result, "is_error") ? core::TurnOutcome::failed : core::TurnOutcome::success;
  }
  if (subtype == "error_max_turns") return core::TurnOutcome::max_turns;
  if (subtype == "error_max_budget_usd") return core::TurnOutcome::max_budget;
  if (subtype == "error_max_structured_output_retries") {
    return core::TurnOutcome::no_structured_output;
  }
  if (reason == "timeout") return core::TurnOutcome::timed_out;
  if (reason.starts_with("aborted") || any_contains(errors, "interrupted by user")) {
    return core::TurnOutcome::interrupted;
  }
  return core::TurnOutcome::failed;
}

std::string joined(const std::vector<std::string>& texts) {
  std::string out;
  for (const std::string& text : texts) out.append(out.empty() ? "" : "\n").append(text);
  return out;
}

}  // namespace

std::int64_t claude_count(const json& object, const char* key) {
  constexpr std::int64_t k_most = 0xFFFF'FFFF'FFFF;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return 0;
  const double number = found->get<double>();
  return number > 0 && number < static_cast<double>(k_most) ? static_cast<std::int64_t>(number) : 0;
}

core::Usage claude_usage(const json& usage) {
  if (!usage.is_object()) return {};
  const std::int64_t cached = claude_count(usage, "cache_read_input_tokens");
  return {.prompt_tokens = claude_count(usage, "input_tokens") + cached +
                           claude_count(usage, "cache_creation_input_tokens"),
          .cached_tokens = cached,
          .output_tokens = claude_count(usage, "output_tokens")};
}

std::vector<std::string> claude_texts(const json& object, const char* key) {
  std::vector<std::string> out;
  const auto list = object.find(key);
  if (list == object.end() || !list->is_array()) return out;
  for (const json& one : *list) {
    if (one.is_string()) out.push_back(one.get<std::string>());
  }
  return out;
}

core::TurnDone read_claude_result(const json& result) {
  core::TurnDone done;
  const std::vector<std::string> errors = claude_texts(result, "errors");
  done.outcome = outcome_of(result, errors);
  done.text = text_at(result, "result");
  if (done.text.empty()) done.text = joined(errors);
  if (done.outcome == core::TurnOutcome::failed) {
    const FailureGuess guess = guess_failure(done.text);
    done.failure = guess.kind;
    done.http_status = static_cast<int>(claude_count(result, "api_error_status"));
    if (done.http_status == 0) done.http_status = guess.http_status;
    if (done.text.empty()) done.text = "the turn ended with an error";
  }
  done.stop = done.outcome == core::TurnOutcome::interrupted
                  ? core::StopReason::aborted
                  : stop_reason(text_at(result, "stop_reason"));
  done.duration = std::chrono::milliseconds(claude_count(result, "duration_ms"));
  done.api_duration = std::chrono::milliseconds(claude_count(result, "duration_api_ms"));
  done.total = claude_usage(result.value("usage", json()));
  done.files_written = claude_texts(result, "files_written");
  if (const auto fits = result.find("structured_output");
      fits != result.end() && !fits->is_null()) {
    done.structured_output = RawJson{write_json(*fits)};
  }
  const auto models = result.find("modelUsage");
  if (models != result.end() && models->is_object()) {
    for (const auto& [name, counts] : models->items()) {
      if (counts.is_object()) done.by_model[name] = model_usage_of(counts);
    }
  }
  return done;
}

std::vector<core::ToolCall> read_claude_denials(const json& result) {
  std::vector<core::ToolCall> denials;
  const auto list = result.find("permission_denials");
  if (list == result.end() || !list->is_array()) return denials;
  for (const json& one : *list) {
    if (!one.is_object()) continue;
    denials.push_back({.id = text_at(one, "tool_use_id"),
                       .name = text_at(one, "tool_name"),
                       .input = {write_json(one.value("tool_input", json::object()))}});
  }
  return denials;
}

}  // namespace yume::foreign
