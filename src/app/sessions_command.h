// SPDX-License-Identifier: MIT
// `yume-cli sessions list|show|export|delete|convert|import`: the conversations on this machine, of
// this program, Claude Code and Gemini CLI, for people and scripts.
#pragma once

#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"

namespace yume::app {

// `tokens` after "sessions".
ExitCode run_sessions(const std::vector<std::string>& tokens,
                      const platform::Environment& environment, protocol::Output& out);

}  // namespace yume::app
