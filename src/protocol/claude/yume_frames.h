// SPDX-License-Identifier: MIT
// The lines that Yume writes to a program that stays: shorter than Claude's, and the same commands.
// `{"type":"user","content":…}`, `{"type":"interrupt"}`, `{"type":"set_permission_mode","mode":…}`,
// `{"type":"tool_approval","id":…,"approved":…}`. Every dialect takes them. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <optional>

#include "protocol/host.h"

namespace yume::protocol {

// nullopt: it is none of them. `line` is an object. A message's content is read by whoever calls.
std::optional<HostMessage> parse_yume_frame(const nlohmann::json& line);

}  // namespace yume::protocol
