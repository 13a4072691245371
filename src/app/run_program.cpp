// SPDX-License-Identifier: MIT
#include "app/run.h"
#include "platform/arguments.h"

namespace yume::app {

ExitCode run_program(int argc, const char* const* argv) {
  std::vector<std::string> tokens = platform::program_arguments(argc, argv);
  if (tokens.empty()) return run("", {});
  const std::string program = tokens.front();
  tokens.erase(tokens.begin());
  return run(program, tokens);
}

}  // namespace yume::app
