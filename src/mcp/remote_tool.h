// SPDX-License-Identifier: MIT
// A tool of a server, as the agent knows tools.
#pragma once

#include <memory>

#include "mcp/server.h"
#include "tools/tool.h"

namespace yume::mcp {

// Shares the server: a call may outlast its place in the list of servers.
std::unique_ptr<tools::Tool> make_remote_tool(std::shared_ptr<Server> server, const ToolInfo& info);

}  // namespace yume::mcp
