// SPDX-License-Identifier: MIT
// Child processes as a seam: run one command, hand on its output, and leave nothing behind. The
// whole tree of descendants is dead when run() returns, and dies too when this process is killed.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "util/cancel.h"
#include "util/result.h"

namespace yume::platform {

enum class StderrMode {
  with_stdout,  // one stream, in the order of writing
  apart,        // to ProcessOutput::on_error_output
};

struct ProcessSpec {
  std::vector<std::string> argv;         // argv[0] is an absolute path
  std::filesystem::path cwd;             // must exist
  std::vector<std::string> environment;  // "NAME=value", complete: nothing is inherited
  std::optional<std::chrono::milliseconds> timeout = std::nullopt;
  StderrMode stderr_mode = StderrMode::with_stdout;
};

// Receives what the command writes, on the thread that called run().
class ProcessOutput {
 public:
  virtual ~ProcessOutput() = default;
  virtual void on_output(std::string_view bytes) = 0;
  // Only with StderrMode::apart; dropped unless overridden.
  virtual void on_error_output(std::string_view /*bytes*/) {}
};

enum class ProcessEndKind { exited, signalled, timed_out, cancelled };

struct ProcessEnd {
  ProcessEndKind kind = ProcessEndKind::exited;
  int exit_code = 0;  // exited
  int signal = 0;     // signalled

  friend bool operator==(const ProcessEnd&, const ProcessEnd&) = default;
};

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;

  // Blocks until the command has ended and every descendant is gone. stdin is empty, there is no
  // controlling terminal, no descriptor is inherited. A descendant that outlives the command itself
  // is killed, 150 ms later so that `cmd > >(tee log)` can finish. On timeout: TERM, 2 s, KILL. On
  // cancel: TERM, 100 ms, KILL. Error only when the command could not be started (message names
  // argv[0] or cwd).
  virtual Result<ProcessEnd> run(const ProcessSpec& spec, ProcessOutput& output,
                                 const CancelToken& cancel) = 0;
};

std::unique_ptr<ProcessRunner> make_process_runner();

}  // namespace yume::platform
