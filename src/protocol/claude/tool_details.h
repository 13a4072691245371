// SPDX-License-Identifier: MIT
// Claude's form of what a call brought besides its text: `tool_use_result` on the lines of its
// dialect, `toolUseResult` in its session files. The one place that knows it, both ways: hence
// src/transcript may include this header, and no other of src/protocol. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <span>
#include <string>
#include <string_view>

#include "core/todo.h"
#include "core/tool_call.h"
#include "core/tool_details.h"
#include "util/json_io.h"

namespace yume::protocol {

// As a field of this name; nothing is written for an outcome without details.
void write_tool_use_result(JsonWriter& json, std::string_view name,
                           const core::ToolOutcome& outcome);

// The same as a value by itself; the text of an outcome without details.
RawJson tool_response(const core::ToolOutcome& outcome);

// The blocks of a server's tool as a JSON array.
void write_blocks(JsonWriter& json, const core::BlocksReturned& returned);

// What Claude writes behind the report of a subagent, in a block of its own.
std::string agent_trailer(const core::AgentFinished& finished);

// A JSON array.
void write_todos(JsonWriter& json, std::span<const core::Todo> todos);

// What a `toolUseResult`, ours or Claude Code's, says about the lines of a file that changed. Empty
// when it says nothing; what is none of it is passed over.
core::Patch read_patch(const nlohmann::ordered_json& tool_use_result);

}  // namespace yume::protocol
