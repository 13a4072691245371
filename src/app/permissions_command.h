// SPDX-License-Identifier: MIT
// `yume-cli permissions explain|list` and `yume-cli trust`: for people who wonder what may run
// here, and why.
#pragma once

#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"

namespace yume::app {

// `tokens` behind "permissions".
ExitCode run_permissions(const std::vector<std::string>& tokens,
                         const platform::Environment& environment, protocol::Output& out);

// `tokens` behind "trust". On a terminal it asks first; elsewhere --yes is needed.
ExitCode run_trust(const std::vector<std::string>& tokens, const platform::Environment& environment,
                   protocol::Output& out);

}  // namespace yume::app
