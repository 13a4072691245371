// SPDX-License-Identifier: MIT
// One run of the official Gemini CLI: its input written, its lines decoded as they come, its end
// understood. On the session's thread.
#pragma once

#include <string>

#include "foreign/gemini_lines_decoder.h"
#include "platform/duplex_process.h"
#include "util/cancel.h"
#include "util/log.h"

namespace yume::strategies {

struct CliRun {
  platform::DuplexSpec program;
  std::string input;  // its whole stdin
};

struct CliEnd {
  bool said_anything = false;  // a line that could be read
  platform::ProcessEnd process;
  std::string error_tail;
};

// Returns when the program and all that it started have ended: by itself, or killed because of the
// token, or because nobody reads any more. The decoder's turn is open when the lines had no result.
// Error: it could not be started. `emit` false: stop.
Result<CliEnd> run_cli(const CliRun& run, foreign::GeminiLinesDecoder& decoder,
                       const foreign::Emit& emit, Log& log, const CancelToken& cancel);

// What the end means for a turn that is still open, in words that say what to do.
foreign::StreamEnd end_of(const CliEnd& end);

}  // namespace yume::strategies
