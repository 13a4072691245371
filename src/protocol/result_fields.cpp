// SPDX-License-Identifier: MIT
#include "protocol/result_fields.h"

#include "protocol/overflow.h"

#include <algorithm>
#include <cmath>

namespace yume::protocol {
namespace {

// Together the denials leave room for the rest of the line.
constexpr std::size_t k_denied_inputs = 200'000;  // bytes
constexpr std::size_t k_most_denials = 1'000;
// Six bytes for each that has to be escaped still fit.
constexpr std::size_t k_written_paths = 30'000;  // bytes

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
  if (usage.estimated) json.field("estimated", true);
}

void write_compact_metadata(JsonWriter& json, const core::Compacted& compacted) {
  json.key("compact_metadata").begin_object();
  json.field("trigger", core::name_of(compacted.trigger));
  json.field("pre_tokens", compacted.pre_tokens).field("post_tokens", compacted.post_tokens);
  json.end_object();
}

void write_model_usage(JsonWriter& json, const core::UsageByModel& by_model) {
  json.key("modelUsage").begin_object();
  for (const auto& [name, model] : by_model) {
    json.key(name).begin_object();
    json.field("inputTokens", model.usage.uncached_prompt());
    json.field("outputTokens", model.usage.billed_output());
    json.field("cacheReadInputTokens", model.usage.cached_tokens);
    json.field("cacheCreationInputTokens", 0);
    json.field("webSearchRequests", model.usage.web_searches);
    json.key("costUSD").number(rounded(model.cost_usd));
    json.field("contextWindow", model.context_window);
    json.field("maxOutputTokens", model.max_output_tokens).end_object();
  }
  json.end_object();
}

double total_cost(const core::UsageByModel& by_model) {
  return rounded(core::total_cost_usd(by_model));
}

void write_files_written(JsonWriter& json, const std::vector<std::string>& files) {
  std::size_t room = k_written_paths;
  json.key("files_written").begin_array();
  for (const std::string& file : files) {
    if (file.size() > room) break;
    room -= file.size();
    json.string(file);
  }
  json.end_array();
}

void write_denial_list(JsonWriter& json, const std::vector<core::ToolCall>& denials) {
  const std::size_t listed = std::min(denials.size(), k_most_denials);
  json.begin_array();
  for (std::size_t i = 0; i < listed; ++i) {
    json.begin_object().field("tool_name", denials[i].name);
    json.field("tool_use_id", denials[i].id);
    json.field("tool_input", fit_input(denials[i].input, k_denied_inputs / listed).shown);
    json.end_object();
  }
  json.end_array();
}

void write_denials(JsonWriter& json, const std::vector<core::ToolCall>& denials) {
  json.key("permission_denials");
  write_denial_list(json, denials);
}

}  // namespace yume::protocol
