// SPDX-License-Identifier: MIT
// A command under its supervisor (supervisor_posix.h), seen from the agent: how it is started,
// ordered to stop, and how its end is learned. What runs commands and what talks to them share it.
// Private to src/platform.
#pragma once

#include <signal.h>
#include <sys/types.h>

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/descriptor_posix.h"
#include "platform/process.h"
#include "platform/supervisor_posix.h"
#include "util/result.h"

namespace yume::platform {

// The command's ends of its streams; they stay the caller's to close.
struct CommandStreams {
  int input;  // -1: an empty one
  int output;
  int error_output;  // may be the same as output
};

struct CommandStatus {
  Result<ProcessEnd> end;  // Error: it could not be started
  std::filesystem::path final_cwd;
};

Result<void> check_command(const ProcessSpec& spec);

// Our end of them, that is not the command's, does not block. `what` begins the message of an
// error.
Result<Pipe> make_output_pipe(const std::string& what);
Result<Pipe> make_input_pipe(const std::string& what);

class SupervisedCommand {
 public:
  // Call only with a spec that passed check_command(). Error when there is no process to be had.
  // With StartReport::wanted this blocks until the command runs, and a program or directory that
  // cannot be used is an error here; otherwise it is one of the status.
  static Result<SupervisedCommand> start(const ProcessSpec& spec, const CommandStreams& streams,
                                         StartReport report, SandboxMaker& sandboxes);

  SupervisedCommand(SupervisedCommand&& other) noexcept;
  SupervisedCommand(const SupervisedCommand&) = delete;
  SupervisedCommand& operator=(const SupervisedCommand&) = delete;
  // Kills what is left, and waits for that.
  ~SupervisedCommand();

  // Any thread, never blocks.
  void order(SupervisorOrder order) const;

  // Readable when no descendant is left; take_status() then tells the end.
  int status_fd() const { return status_.read_end.get(); }
  // nullopt: nothing yet.
  std::optional<CommandStatus> take_status();

 private:
  explicit SupervisedCommand(ProcessSpec spec);

  Result<void> open_channels();
  Result<void> fork_supervisor(const CommandStreams& streams, StartReport report,
                               PreparedSandbox* sandbox);
  Result<void> take_start() const;
  void reap();

  ProcessSpec spec_;
  std::vector<std::string> starter_;  // of its sandbox, before every program's words
  Pipe control_;
  Pipe status_;
  pid_t supervisor_ = 0;  // 0 once reaped
};

// No signal reaches this thread, nor what it starts meanwhile.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked();
  AllSignalsBlocked(const AllSignalsBlocked&) = delete;
  AllSignalsBlocked& operator=(const AllSignalsBlocked&) = delete;
  ~AllSignalsBlocked();

 private:
  sigset_t before_;
};

// One of the command's output streams, as a descriptor that does not block.
class OutputPump {
 public:
  using Deliver = void (ProcessOutput::*)(std::string_view bytes);

  OutputPump(Descriptor fd, Deliver deliver) : fd_(std::move(fd)), deliver_(deliver) {}

  // -1 when there is none and after the end of the output: poll() then skips it.
  int fd() const { return fd_.get(); }

  // Hands on what one read gives; 0 when nothing is there.
  std::size_t pump(ProcessOutput& output);
  // Hands on what is there now. Call when nobody is left to write.
  void drain(ProcessOutput& output);

 private:
  Descriptor fd_;
  Deliver deliver_;
  std::unique_ptr<char[]> buffer_;
};

}  // namespace yume::platform
