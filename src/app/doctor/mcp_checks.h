// SPDX-License-Identifier: MIT
// Whether the MCP servers that a session would have can be connected to. Starts them, and ends them
// again; none is configured: nothing is done.
#pragma once

#include <functional>
#include <memory>

#include "app/doctor/finding.h"
#include "app/session_setup.h"
#include "config/session_spec.h"
#include "net/transport.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::app::doctor {

Findings check_servers(const Result<config::McpSpec>& servers, const std::filesystem::path& cwd,
                       const std::function<std::unique_ptr<net::Transport>()>& make_transport,
                       const SpecDeps& deps, const CancelToken& cancel);

}  // namespace yume::app::doctor
