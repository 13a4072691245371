// SPDX-License-Identifier: MIT
// A server that is a part of the host: each message is a question to the host, and the answer is
// the host's answer to it.
#pragma once

#include <memory>
#include <string>

#include "core/host_port.h"
#include "mcp/connection.h"

namespace yume::mcp {

// `host` outlives the connection. What the server says unasked comes as a command of the host's.
std::unique_ptr<Connection> connect_in_host(const std::string& name, core::Questions& host);

}  // namespace yume::mcp
