// SPDX-License-Identifier: MIT
// Runs one program under test, or many at once, to the end: what came out of stdout and when, CPU
// and peak memory. Nothing is parsed while the program runs, so that reading is never the limit.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench_time.h"
#include "launcher.h"
#include "util/result.h"

namespace yume::bench {

// The bytes of stdout up to `end` had been read at `when`.
struct Mark {
  std::size_t end = 0;
  Time when;
};

struct ProgramRun {
  pid_t pid = -1;
  Time spawned;
  Time exited;
  int status = 0;
  double cpu_ms = 0;  // with the children it waited for
  double peak_rss_mb = 0;
  std::string output;
  std::vector<Mark> marks;
  std::string errors;  // stderr

  // When the byte at this offset of `output` was read.
  Time time_of(std::size_t offset) const;
  std::string exit_text() const;  // "0", or "signal 9"
};

// Called each time bytes of any program have come; for opening gates and sending signals.
using OnOutput = std::function<void(std::vector<ProgramRun>& runs)>;

struct RunPlan {
  std::vector<std::string> argv;
  std::vector<std::string> environment;
  std::filesystem::path cwd;
  std::size_t copies = 1;
  OnOutput on_output = {};
};

// Fails when a program cannot be started or is not done within a minute; it is then killed.
Result<std::vector<ProgramRun>> run_programs(Launcher& launcher, const RunPlan& plan);

// Proportional set size of a running process, in MB; nullopt when /proc does not tell us, which
// without root it doesn't for a program that forbids inspection.
std::optional<double> pss_mb(pid_t pid);

}  // namespace yume::bench
