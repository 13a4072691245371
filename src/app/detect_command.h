// SPDX-License-Identifier: MIT
// `yume-cli detect [name] [--json]` and `yume-cli capabilities [name] [--json]`: which agents are
// installed, where, of which version, and what they can do. Starts none of them.
#pragma once

#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"

namespace yume::app {

// `tokens` behind the command's name. An unknown agent is wrong usage.
ExitCode run_detect(const std::vector<std::string>& tokens,
                    const platform::Environment& environment, protocol::Output& out);
ExitCode run_capabilities(const std::vector<std::string>& tokens,
                          const platform::Environment& environment, protocol::Output& out);

}  // namespace yume::app
