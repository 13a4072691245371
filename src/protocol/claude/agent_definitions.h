// SPDX-License-Identifier: MIT
// Subagents as programs describe them: the JSON object of `--agents` and of a host's `initialize`,
// {"NAME":{"description","prompt","tools"?,"model"?,…}}. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>
#include <vector>

#include "core/agent_definition.h"
#include "util/result.h"

namespace yume::protocol {

// The message names the agent and says what is wrong: a text that is missing, or a restriction that
// would not be kept. Fields that restrict nothing and are not known are passed over.
Result<std::vector<core::AgentDefinition>> read_agents(const nlohmann::json& agents,
                                                       core::AgentSource source);
Result<std::vector<core::AgentDefinition>> parse_agents(std::string_view text,
                                                        core::AgentSource source);

}  // namespace yume::protocol
