// SPDX-License-Identifier: MIT
// ListMcpResourcesTool and ReadMcpResourceTool: there while a connected server has resources.
#pragma once

#include <memory>
#include <vector>

#include "mcp/server.h"
#include "tools/tool.h"

namespace yume::mcp {

std::unique_ptr<tools::Tool> make_list_resources_tool(std::vector<std::shared_ptr<Server>> servers);
std::unique_ptr<tools::Tool> make_read_resource_tool(std::vector<std::shared_ptr<Server>> servers);

}  // namespace yume::mcp
