// SPDX-License-Identifier: MIT
// Runs a line of commands whose words are certain, without a shell: pipes, `&&`, `||`, `;`, `cd`.
// Private to src/platform. Runs after fork() in a process that had threads: only async-signal-safe
// calls, no allocation; everything is prepared before.
#pragma once

#include <cstddef>
#include <span>

#include "platform/process.h"

namespace yume::platform {

struct StepPlan {
  StepJoint joint;
  char* const* argv;      // argv[0] is an absolute path; null: there is no such program
  const char* name;       // for messages
  const char* directory;  // not null: only goes there
  bool drops_output;
  bool drops_errors;
  bool errors_to_output;
};

// Returns the exit code of the last pipeline that ran, as a shell would.
int run_steps(std::span<const StepPlan> steps, char* const* environment);

}  // namespace yume::platform
