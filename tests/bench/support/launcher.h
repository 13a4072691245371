// SPDX-License-Identifier: MIT
// Starts the programs under test from a small helper process. Linux counts the parent's memory at
// exec into the child's ru_maxrss, so a parent that holds the prepared streams would spoil the peak
// RSS of every child. Linux only.
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "bench_time.h"
#include "util/result.h"

namespace yume::bench {

struct Command {
  std::vector<std::string> argv;
  std::vector<std::string> environment;  // complete
  std::filesystem::path cwd;
  std::filesystem::path stdout_path;  // a FIFO with a reader, or a file
  std::filesystem::path stderr_path;
};

struct Started {
  pid_t pid = -1;
  Time when;  // just before the spawn
};

struct Ended {
  pid_t pid = -1;
  int status = 0;  // as wait() gives it
  Time when;
  rusage usage{};
};

class Launcher {
 public:
  // Call it first thing in main(): the smaller this process still is, the less it adds.
  static Result<std::unique_ptr<Launcher>> start();

  Launcher(const Launcher&) = delete;
  Launcher& operator=(const Launcher&) = delete;
  ~Launcher();  // ends the helper; its children have been waited for

  // Blocks until the program runs.
  Result<Started> spawn(const Command& command);

  int ended_fd() const { return reports_; }  // readable when a program has ended
  Result<Ended> next_ended();                // blocks until one has

 private:
  Launcher(int orders, int reports, pid_t helper)
      : orders_(orders), reports_(reports), helper_(helper) {}

  int orders_;   // a socket; commands out, Started back
  int reports_;  // a pipe of Ended
  pid_t helper_;
};

}  // namespace yume::bench
