// SPDX-License-Identifier: MIT
// The composition root: builds the program from its parts and runs it.
#pragma once

#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "platform/environment.h"

namespace yume::app {

// The whole program. `tokens` without the program's name.
ExitCode run(const std::string& program, const std::vector<std::string>& tokens);

// The same with the arguments as main() got them; what the system knows of them counts.
ExitCode run_program(int argc, const char* const* argv);

// One ordinary run with this environment; what `run` and the demo share.
ExitCode run_session(const std::vector<std::string>& tokens,
                     const platform::Environment& environment);

}  // namespace yume::app
