// SPDX-License-Identifier: MIT
// `yume-cli setup hosts`: the programs on this machine that can use this one, and what makes them.
#pragma once

#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"

namespace yume::app {

// `tokens` behind `setup`. failure: with --write, a file was left as it is.
ExitCode run_setup(const std::vector<std::string>& tokens, const platform::Environment& environment,
                   protocol::Output& out);

}  // namespace yume::app
