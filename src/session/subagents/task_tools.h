// SPDX-License-Identifier: MIT
// BashOutput and KillShell, which hosts and models also know as TaskOutput and TaskStop, for
// subagents in the background: what is no subagent's id is the command's tool's.
#pragma once

#include "session/subagents/subagents.h"
#include "tools/registry.h"

namespace yume::session {

// `subagents` outlives the registry.
void serve_background_agents(tools::Registry& registry, Subagents& subagents);

}  // namespace yume::session
