// SPDX-License-Identifier: MIT
// Members of InsightsEvents that are more than one value. Private to this folder.
#pragma once

#include <string_view>
#include <vector>

#include "core/event.h"
#include "core/permission.h"
#include "core/tool_call.h"
#include "util/json_io.h"

namespace yume::protocol {

// Each writes members into an open object.
void write_session(JsonWriter& json, const core::SessionStarted& started);
void write_images(JsonWriter& json, const core::UserMessage& message, std::size_t max_bytes);
// The files that a call is about.
void write_locations(JsonWriter& json, const core::ToolCall& call);
// A change of a file, as ACP has it; nothing for other results, and for one that is too long.
void write_diff(JsonWriter& json, const core::ToolDetails& details, std::size_t max_bytes);
// A list of tasks as the text of a plan, and its entries as ACP has them.
void write_plan_fields(JsonWriter& json, const RawJson& todos, std::size_t max_bytes);
void write_modes(JsonWriter& json, core::PermissionMode current);
void write_model_option(JsonWriter& json, std::string_view model);
void write_step_usage(JsonWriter& json, const core::Usage& usage);
void write_suggestions(JsonWriter& json, const std::vector<core::PermissionUpdate>& suggestions);
// Cost, times, tokens, denials, files.
void write_turn_figures(JsonWriter& json, const core::TurnDone& done);

// `input` itself if it is an object, else an empty one: readers take nothing else.
RawJson object_input(const RawJson& input);
std::string_view status_name(core::BackgroundStatus status);

}  // namespace yume::protocol
