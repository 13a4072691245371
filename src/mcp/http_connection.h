// SPDX-License-Identifier: MIT
// A server elsewhere, over streamable HTTP: each message is a POST, whose answer carries the reply;
// what the server says unasked comes by a GET that stays open, where the server has one.
#pragma once

#include <memory>
#include <string>

#include "core/mcp.h"
#include "mcp/connection.h"
#include "mcp/http_exchange.h"

namespace yume::mcp {

// Does not connect yet: the first call does.
Result<std::unique_ptr<Connection>> connect_http(const std::string& name,
                                                 const core::McpRemote& remote,
                                                 const RemoteWorld& world, Listener& listener);

}  // namespace yume::mcp
