// SPDX-License-Identifier: MIT
// `yume-cli translate --from gemini|acp|claude --to DIALECT`: another agent's lines on stdin become
// lines of a dialect on stdout, as they come.
#pragma once

#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"

namespace yume::app {

// `tokens` behind the command's name. Fails when the last turn did not end well, or none ended.
ExitCode run_translate(const std::vector<std::string>& tokens,
                       const platform::Environment& environment, protocol::LineWriter& out);

}  // namespace yume::app
