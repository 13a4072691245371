// SPDX-License-Identifier: MIT
// `yume-cli demo`: a whole turn over loopback HTTP against a scripted server inside this process,
// with real tools in a scratch folder. Needs no credentials and no network.
#pragma once

#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"

namespace yume::app {

// `tokens` may change the output, e.g. `--output-format text`.
ExitCode run_demo(const std::vector<std::string>& tokens, platform::Environment environment,
                  protocol::Output& out);

}  // namespace yume::app
