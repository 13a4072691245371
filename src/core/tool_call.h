// SPDX-License-Identifier: MIT
// A tool call as hosts know it, and what came of it. A failing tool is an outcome for the model,
// never a program error.
#pragma once

#include <string>
#include <vector>

#include "core/media.h"
#include "core/tool_details.h"
#include "util/json_io.h"

namespace yume::core {

struct ToolCall {
  std::string id;    // unique in the session; how the host refers to the call
  std::string name;  // the tool's public name, e.g. "Read"
  RawJson input;     // a JSON object with the public field names
};

struct ToolOutcome {
  bool is_error = false;
  std::string content;            // what host and model read
  std::vector<Media> media = {};  // what the model is to look at beside it
  bool media_is_content = false;  // hosts that can show media get them in place of the content
  std::string model_note = {};    // follows the content for the model; hosts do not see it
  ToolDetails details;            // what programs read
  bool is_answer = false;         // its input is the turn's answer, which ends with it
  bool reports_success = false;   // Bash says `is_error:false`, other tools leave the field out
};

}  // namespace yume::core
