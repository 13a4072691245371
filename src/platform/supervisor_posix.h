// SPDX-License-Identifier: MIT
// The process between the agent and a command. It outlives the agent for as long as it takes to
// kill the command's whole tree, which nothing inside a killed agent could do. Private to
// src/platform.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "platform/sandbox_posix.h"
#include "platform/step_runner_posix.h"

namespace yume::platform {

// Everything the supervisor needs, prepared before the fork: afterwards it must not allocate.
enum class StartReport { none, wanted };

struct SupervisorPlan {
  const char* directory;
  char* const* argv;
  char* const* environment;
  std::optional<std::chrono::milliseconds> timeout;
  int input_fd;              // becomes the command's stdin; -1: an empty one
  int output_fd;             // becomes its stdout
  int error_fd;              // becomes its stderr; may be the same
  int control_fd;            // brings orders; end of file means that the agent is dead
  int status_fd;             // takes the reports; closes on exec
  StartReport start_report;  // wanted: `started`, or why not, comes before the report of the end
  PreparedSandbox* sandbox;  // null: none
  std::span<const StepPlan> steps;  // run instead of argv, when there are any
};

// What the agent writes to control_fd, one byte each.
enum class SupervisorOrder : char {
  stop = 's',       // TERM, 100 ms, KILL
  terminate = 't',  // TERM
  kill = 'k',       // KILL
};

struct SupervisorReport {
  enum class Kind : std::int32_t {
    started,         // value: 0; only when it is wanted
    exited,          // value: exit code
    signalled,       // value: signal
    timed_out,       // value: 0
    cancelled,       // value: 0
    bad_directory,   // value: errno
    bad_executable,  // value: errno
    bad_sandbox,     // value: errno
    no_process,      // value: errno
  };
  Kind kind;
  std::int32_t value;
};

// What status_fd takes at the end, in one write: the report, then the path of the directory in
// which the command itself ended, without a NUL. No path: unknown, or the directory is gone.
inline constexpr std::size_t k_longest_status = 4096;  // PIPE_BUF on Linux: never split

// Call in a fresh fork, with all signals blocked. Starts the command, writes the report of its end
// to status_fd when every descendant is gone, and exits.
[[noreturn]] void supervise(const SupervisorPlan& plan);

}  // namespace yume::platform
