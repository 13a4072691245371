// SPDX-License-Identifier: MIT
// A server elsewhere, over the transport of the protocol's first revision: a GET that stays open
// brings all messages, first of all where to POST ours.
#pragma once

#include <memory>
#include <string>

#include "core/mcp.h"
#include "mcp/connection.h"
#include "mcp/http_exchange.h"

namespace yume::mcp {

// Blocks until the stream is open and has said where to send messages.
Result<std::unique_ptr<Connection>> connect_sse(const std::string& name,
                                                const core::McpRemote& remote,
                                                const RemoteWorld& world, Listener& listener);

// The address that a stream from `url` names, whole. Error when it is of another origin.
Result<std::string> endpoint_address(const std::string& url, const std::string& named);

}  // namespace yume::mcp
