// SPDX-License-Identifier: MIT
// What a tool or a resource of a server brought back, as an outcome for host and model: texts and
// pictures in their order, bounded in size; what is too long goes to a file.
#pragma once

#include <string>
#include <string_view>

#include "core/tool_call.h"
#include "tools/tool.h"
#include "util/json_io.h"

namespace yume::mcp {

// The result of tools/call. `server`: for messages.
core::ToolOutcome read_call_result(const RawJson& result, std::string_view server,
                                   const tools::ToolContext& context);
// The result of resources/read.
core::ToolOutcome read_resource_result(const RawJson& result, std::string_view server,
                                       const tools::ToolContext& context);

}  // namespace yume::mcp
