// SPDX-License-Identifier: MIT
// From an ordinary command line to a live session: options, settings, host, what the session is
// opened with. Whatever ends a start says so in the lines of the host that it was meant for.
#pragma once

#include "app/argv.h"
#include "app/conversation.h"
#include "app/exit_codes.h"
#include "protocol/line_writer.h"
#include "runtime/last_resort.h"

#include <string>
#include <vector>

namespace yume::app {

// What a run under some face was asked for.
struct StartRequest {
  Face face = Face::claude;
  Result<Arguments> arguments;
  std::vector<std::string> only_servers = {};  // of MCP; empty: all
  bool acp = false;                            // as an agent of editors
};

ExitCode start_session(const StartRequest& request, protocol::LineWriter& writer,
                       runtime::LastResort& last_resort, Surroundings& around);

}  // namespace yume::app
