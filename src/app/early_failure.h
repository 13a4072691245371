// SPDX-License-Identifier: MIT
// A failure at the start, when the options or the settings cannot be read. Hosts take it from
// stderr, except for the Yume app, which shows nothing of that and waits for ever: it gets lines.
#pragma once

#include <string>
#include <vector>

#include "app/argv.h"
#include "app/conversation.h"
#include "app/exit_codes.h"
#include "protocol/line_writer.h"

namespace yume::app {

// `ancestors`: the names of the programs that started us, nearest first.
// Under the gemini face wrong usage ends with code 1, as there.
ExitCode report_early_failure(Face face, const Result<Arguments>& arguments,
                              const std::vector<std::string>& ancestors,
                              protocol::LineWriter& writer, Surroundings& around,
                              const std::string& message, ExitCode code);

}  // namespace yume::app
