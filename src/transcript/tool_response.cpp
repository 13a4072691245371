// SPDX-License-Identifier: MIT
#include "transcript/tool_response.h"

#include "protocol/claude/tool_details.h"

namespace yume::transcript {

RawJson tool_response(const core::ToolOutcome& outcome) {
  return protocol::tool_response(outcome);
}

}  // namespace yume::transcript
