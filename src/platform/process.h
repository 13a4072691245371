// SPDX-License-Identifier: MIT
// Child processes as a seam: run a command, hand on its output, and leave nothing behind. The whole
// tree of descendants is dead when the command's end has been told, and dies too when this process
// is killed.
#pragma once

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/clock.h"
#include "platform/sandbox.h"
#include "util/cancel.h"
#include "util/result.h"

namespace yume::platform {

enum class StderrMode {
  with_stdout,  // one stream, in the order of writing
  apart,        // to ProcessOutput::on_error_output
};

// How a step is joined to the one before it.
enum class StepJoint { first, then, and_then, or_else, pipe };

// One command of a line that runs without a shell.
struct ProcessStep {
  StepJoint joint = StepJoint::first;
  std::vector<std::string> argv = {};    // argv[0] is an absolute path; empty: no such program
  std::string name;                      // as it was asked for
  std::filesystem::path directory = {};  // not empty: only goes there
  bool drops_output = false;
  bool drops_errors = false;
  bool errors_to_output = false;
};

struct ProcessSpec {
  std::vector<std::string> argv;         // argv[0] is an absolute path
  std::filesystem::path cwd;             // must exist
  std::vector<std::string> environment;  // "NAME=value", complete: nothing is inherited
  std::optional<std::chrono::milliseconds> timeout = std::nullopt;
  StderrMode stderr_mode = StderrMode::with_stdout;
  std::string input = {};  // what the command finds on its stdin, then its end
  // Run instead of argv, which then only names the command. Not on Windows.
  std::vector<ProcessStep> steps = {};
  // argv is a shell that was told to report where it ends (platform/command_system.h); only Windows
  // has to be told.
  bool shell_reports_directory = false;
  // Absent: the command can do what this process can. Where the system has none, a command that is
  // to have one does not start.
  std::optional<Sandbox> sandbox = std::nullopt;
};

// Receives what the command writes, on the thread that called run() or wait().
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
  int exit_code = 0;  // exited; negative only on Windows, see exit_code_text()
  int signal = 0;     // signalled

  friend bool operator==(const ProcessEnd&, const ProcessEnd&) = default;
};

// A command that has been started. Destroying it kills what is left of it and waits for that.
class RunningProcess {
 public:
  virtual ~RunningProcess() = default;

  // Hands on output until the command has ended and every descendant is gone, or until the time has
  // come (nullopt: ask again). Somebody has to wait: a command whose output nobody takes stands
  // still. One thread at a time. Error when the command could not be started (the message names
  // argv[0] or cwd).
  virtual std::optional<Result<ProcessEnd>> wait(ProcessOutput& output,
                                                 std::optional<SteadyTime> until) = 0;

  // TERM, 100 ms, KILL; wait() then tells `cancelled`, unless the command had ended before. Any
  // thread, never blocks. Windows has no TERM: there everything is killed at once.
  virtual void stop() = 0;

  // After the end: the real path of the directory in which the command itself ended. Empty when the
  // system cannot tell, or the directory is gone.
  [[nodiscard]] virtual std::filesystem::path final_cwd() const = 0;
};

// Whether ProcessSpec::steps are run here.
bool can_run_steps();

class ProcessRunner {
 public:
  virtual ~ProcessRunner() = default;

  // There is no controlling terminal, no descriptor is inherited. A descendant that outlives the
  // command itself is killed, 150 ms later so that `cmd > >(tee log)` can finish. On timeout: TERM,
  // 2 s, KILL (Windows: at once). Error when not even a process could be had, or, where the system
  // tells it so early, what wait() would have said.
  virtual Result<std::unique_ptr<RunningProcess>> start(const ProcessSpec& spec) = 0;

  // start() and wait() in one, stopped by `cancel`. Does not start when that has happened already.
  Result<ProcessEnd> run(const ProcessSpec& spec, ProcessOutput& output, const CancelToken& cancel);
};

std::unique_ptr<ProcessRunner> make_process_runner();

// "SIGSEGV"; "signal 77" for one without a name.
std::string signal_name(int signal);

// "7"; "0xC0000005 (access violation)" for what Windows makes of a crash.
std::string exit_code_text(int exit_code);

}  // namespace yume::platform
