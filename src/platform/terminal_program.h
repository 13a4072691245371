// SPDX-License-Identifier: MIT
// A program that has the person's terminal to itself for as long as it runs: a pager, a login. What
// the model runs never gets here (platform/process.h keeps commands away from the terminal).
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "platform/process.h"
#include "util/result.h"

namespace yume::platform {

struct TerminalProgram {
  std::vector<std::string> argv;          // argv[0] is an absolute path
  std::filesystem::path cwd;              // must exist
  std::vector<std::string> environment;   // "NAME=value", complete: nothing is inherited
  std::optional<std::string> input = {};  // what it finds on its stdin; absent: our stdin
};

// Blocks until it has ended; stdout and stderr are ours. The keys that interrupt and quit are its
// alone meanwhile, and mean nothing to this process afterwards. What it does not read of its input
// is no error. Error when it could not be started. Call while there is no other thread that reads
// the terminal.
Result<ProcessEnd> run_on_terminal(const TerminalProgram& program);

}  // namespace yume::platform
