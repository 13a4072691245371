// SPDX-License-Identifier: MIT
// What Claude's dialect says about MCP servers: hosts' requests, our questions, and the answers to
// either.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "core/command.h"
#include "core/host_question.h"
#include "core/mcp.h"
#include "protocol/host.h"
#include "util/json_io.h"

namespace yume::protocol {

// A control request of the subtype; nullopt: it is not about MCP. `request` may be null.
std::optional<core::Command> parse_mcp_request(std::string_view subtype,
                                               const nlohmann::json* request);
// The servers inside the host that `initialize` names.
std::vector<std::string> read_server_names(const nlohmann::json& initialize);

std::string mcp_message(std::string_view request_id, const core::McpMessage& message);
std::string elicitation(std::string_view request_id, const core::Elicit& elicit);
core::HostAnswer read_mcp_answer(const RawAnswer& raw);
core::HostAnswer read_elicited(const RawAnswer& raw);

// Bodies of replies. What a configuration may hold of secrets is left out.
RawJson mcp_status(const std::vector<core::McpServerReport>& servers);
RawJson servers_set(const core::McpServersSet& outcome);

// `mcp_servers` of the init line.
void write_servers(JsonWriter& json, const std::vector<core::McpServerState>& servers);

}  // namespace yume::protocol
