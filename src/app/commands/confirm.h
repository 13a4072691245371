// SPDX-License-Identifier: MIT
// A question to the person at the terminal.
#pragma once

#include <string>

#include "protocol/line_writer.h"
#include "util/cancel.h"

namespace yume::app {

// Asks `question` and blocks for a line of stdin, which should be a terminal. True for a yes; an
// empty line, the end of input, all else and the token mean no.
bool ask_yes_or_no(protocol::Output& out, const std::string& question,
                   const CancelToken& cancel = {});

}  // namespace yume::app
