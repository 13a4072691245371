// SPDX-License-Identifier: MIT
// Calls and their results as editors show them: kind, title, places, differences. Pure.
#pragma once

#include <string>
#include <string_view>

#include "core/host_question.h"
#include "core/tool_call.h"
#include "protocol/overflow.h"
#include "util/json_io.h"

namespace yume::protocol {

// "Write-0c1d": a client takes the tool's name from before the first dash.
std::string acp_call_id(const core::ToolCall& call);

// Calls whose result is shown as a plan, and not as calls.
bool is_acp_plan(std::string_view tool);

// Everything that is known before it runs, as fields of the object that has been begun: title,
// kind, locations, rawInput, and content, of which `change` is a part where it is known.
struct ShownCall {
  const core::ToolCall& call;
  std::string_view cwd;  // where relative paths begin
  const core::FileChange* change = nullptr;
};
void write_acp_call(JsonWriter& json, const ShownCall& shown);

// The same for what came of it: status, content, locations, rawOutput.
struct ShownOutcome {
  const core::ToolCall& call;
  const core::ToolOutcome& outcome;
  std::string_view cwd;
  std::string_view terminal_id = {};  // of the client, which shows the output; empty: none does
};
void write_acp_outcome(JsonWriter& json, const ShownOutcome& shown, OverflowStore& overflow);

// A list of content blocks' member that is a terminal of the client.
void write_acp_terminal(JsonWriter& json, std::string_view terminal_id);

// A list of content blocks' member: `{"type":"content","content":{"type":"text",…}}`
void write_acp_text_content(JsonWriter& json, std::string_view text);

}  // namespace yume::protocol
