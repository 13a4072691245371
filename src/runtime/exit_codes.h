// SPDX-License-Identifier: MIT
// Every exit code this program has.
#pragma once

namespace yume::runtime {

enum class ExitCode : int {
  success = 0,       // the last result was good, or that of a turn which SIGINT ended
  failure = 1,       // the last result was an error, or stdout is gone
  usage = 2,         // a usage error that Claude does not define
  terminated = 143,  // SIGTERM and its kin
};

}  // namespace yume::runtime
