// SPDX-License-Identifier: MIT
// The tool by which the model has subagents work. What it is told about it lists them.
#pragma once

#include <memory>

#include "session/subagents/agent_catalog.h"
#include "session/subagents/subagents.h"
#include "tools/tool.h"

namespace yume::session {

// `subagents` outlives the tool.
std::unique_ptr<tools::Tool> make_agent_tool(std::shared_ptr<const AgentSet> agents,
                                             Subagents& subagents);

}  // namespace yume::session
