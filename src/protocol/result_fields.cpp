// SPDX-License-Identifier: MIT
#include "protocol/result_fields.h"

#include <cmath>

namespace yume::protocol {
namespace {

constexpr std::size_t k_longest_denied_string = 10'000;

// Sums of prices carry noise in the last digits; a millionth of a cent is plenty.
double rounded(double usd) {
  return std::round(usd * 1e8) / 1e8;
}

}  // namespace

void write_usage_counts(JsonWriter& json, const core::Usage& usage) {
  json.field("input_tokens", usage.uncached_prompt());
  json.field("cache_creation_input_tokens", 0);
  json.field("cache_read_input_tokens", usage.cached_tokens);
  json.field("output_tokens", usage.billed_output());
}

void write_model_usage(JsonWriter& json, const core::UsageByModel& by_model) {
  json.key("modelUsage").begin_object();
  for (const auto& [name, model] : by_model) {
    json.key(name).begin_object();
    json.field("inputTokens", model.usage.uncached_prompt());
    json.field("outputTokens", model.usage.billed_output());
    json.field("cacheReadInputTokens", model.usage.cached_tokens);
    json.field("cacheCreationInputTokens", 0).field("webSearchRequests", 0);
    json.key("costUSD").number(rounded(model.cost_usd));
    json.field("contextWindow", model.context_window);
    json.field("maxOutputTokens", model.max_output_tokens).end_object();
  }
  json.end_object();
}

double total_cost(const core::UsageByModel& by_model) {
  double total = 0;
  for (const auto& [name, model] : by_model) total += model.cost_usd;
  return rounded(total);
}

void write_denials(JsonWriter& json, const std::vector<core::PermissionDenial>& denials) {
  json.key("permission_denials").begin_array();
  for (const core::PermissionDenial& denial : denials) {
    json.begin_object().field("tool_name", denial.tool_name);
    json.field("tool_use_id", denial.tool_use_id);
    json.field("tool_input",
               RawJson{shorten_json_strings(denial.tool_input.text, k_longest_denied_string)});
    json.end_object();
  }
  json.end_array();
}

}  // namespace yume::protocol
