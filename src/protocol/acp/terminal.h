// SPDX-License-Identifier: MIT
// Terminals of a client (`terminal/*`), as requests of ours and its answers. Pure.
#pragma once

#include <string>
#include <string_view>

#include "core/host_question.h"
#include "util/json_io.h"

namespace yume::protocol {

// The request, as a line.
std::string acp_use_terminal(std::string_view request_id, const std::string& session_id,
                             const core::UseTerminal& terminal);

// What the client's result says to that step.
core::HostAnswer acp_terminal(const core::UseTerminal& asked, const RawJson& result);

}  // namespace yume::protocol
