// SPDX-License-Identifier: MIT
// `yume-cli completions <shell>` and `yume-cli man`: texts for packages and for people.
#pragma once

#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "protocol/line_writer.h"

namespace yume::app {

// `tokens` behind the command's name. An unknown shell is wrong usage.
ExitCode run_completions(const std::vector<std::string>& tokens, protocol::Output& out);
ExitCode run_man(const std::vector<std::string>& tokens, protocol::Output& out);

}  // namespace yume::app
