// SPDX-License-Identifier: MIT
// Runs the program once for a case, in fresh scratch folders and against a scripted server, and
// brings back all that could be seen from outside. Judges nothing but the run itself.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "demo/scripted_server.h"
#include "golden/runner/case_file.h"
#include "golden/runner/file_tree.h"
#include "golden/runner/normalise.h"
#include "golden/runner/target.h"

namespace yume::golden {

struct Observation {
  std::string exit;
  std::string stdout_text;
  std::string stderr_text;
  std::vector<demo::RecordedRequest> requests;
  FileTree files_before;
  FileTree files_after;
  FileTree home_before;
  FileTree home_after;
  std::vector<Literal> literals;      // this run's paths and addresses
  std::vector<std::string> problems;  // hang, leaks, answers never asked for, …
};

// Whether commands have a sandbox there.
bool can_wall_commands(const Target& target);

// Throws std::runtime_error when the case can't be run at all. Blocks, at most until the watchdog.
Observation run_case(const GoldenCase& golden, const Target& target);

}  // namespace yume::golden
