// SPDX-License-Identifier: MIT
// What the result lines of both dialects have in common: token counts, cost, denials.
#pragma once

#include <string>
#include <vector>

#include "core/event.h"
#include "util/json_io.h"

namespace yume::protocol {

// {"input_tokens":..,"cache_creation_input_tokens":0,"cache_read_input_tokens":..,"output_tokens":..}
// without the braces: the caller may add fields.
void write_usage_counts(JsonWriter& json, const core::Usage& usage);

// "modelUsage":{...}
void write_model_usage(JsonWriter& json, const core::UsageByModel& by_model);
double total_cost(const core::UsageByModel& by_model);

// "compact_metadata":{...}
void write_compact_metadata(JsonWriter& json, const core::Compacted& compacted);

// "files_written":[...]
void write_files_written(JsonWriter& json, const std::vector<std::string>& files);

// [{"tool_name":..,"tool_use_id":..,"tool_input":..},...]
void write_denial_list(JsonWriter& json, const std::vector<core::ToolCall>& denials);
// "permission_denials":[...]
void write_denials(JsonWriter& json, const std::vector<core::ToolCall>& denials);

}  // namespace yume::protocol
