// SPDX-License-Identifier: MIT
// A tool call as the model asked for it, and what came of it. A failing tool is an outcome for the
// model, never a program error.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/media.h"
#include "util/json_io.h"

namespace yume::core {

struct ToolCall {
  std::string id;    // unique in the session; how the host refers to the call
  std::string name;  // the tool's public name, e.g. "Read"
  RawJson input;     // a JSON object with the public field names
};

struct ToolOutcome {
  bool is_error = false;
  std::string content;             // what host and model read
  std::vector<Media> media = {};   // what the model is to look at beside it
  bool media_is_content = false;   // hosts that can show media get them in place of the content
  std::string model_note = {};     // follows the content for the model; hosts do not see it
  std::optional<RawJson> details;  // Claude's `tool_use_result`; absent: derived from content
  bool reports_success = false;    // Bash says `is_error:false`, other tools leave the field out
};

// A refused call, as the final result lists it.
struct PermissionDenial {
  std::string tool_name;
  std::string tool_use_id;
  RawJson tool_input;
};

}  // namespace yume::core
