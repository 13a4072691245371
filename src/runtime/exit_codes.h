// SPDX-License-Identifier: MIT
// Every exit code this program has.
#pragma once

namespace yume::runtime {

enum class ExitCode : int {
  success = 0,       // the last result was good, or that of a turn which SIGINT ended
  failure = 1,       // the last result was an error, or stdout is gone
  usage = 2,         // a usage error that Claude does not define
  terminated = 143,  // SIGTERM and its kin

  // Those of the official Gemini CLI, for hosts that take us for it.
  authentication = 41,
  input = 42,          // no prompt, an unknown session
  configuration = 52,  // its settings cannot be read
  turn_limit = 53,
  interrupted = 130,
};

}  // namespace yume::runtime
