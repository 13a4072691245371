// SPDX-License-Identifier: MIT
#include "platform/process.h"

#include <poll.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <utility>

#include "platform/descriptor_posix.h"
#include "platform/supervised_command_posix.h"

namespace yume::platform {

bool can_run_steps() {
  return true;
}

namespace {

// The command's ends of its streams, and ours.
struct Channels {
  Descriptor input;  // closed: the command's stdin is empty
  Pipe output;
  Pipe error_output;  // unused with StderrMode::with_stdout
};

Result<Channels> open_channels(const ProcessSpec& spec) {
  const std::string what = "cannot start " + spec.argv[0];
  Channels channels;
  if (!spec.input.empty()) {
    auto made = make_nameless_file(spec.input);
    if (!made) {
      return Error{.code = made.error().code, .message = what + ": " + made.error().message};
    }
    channels.input = std::move(*made);
  }
  YUME_TRY(channels.output, make_output_pipe(what));
  if (spec.stderr_mode == StderrMode::apart) {
    YUME_TRY(channels.error_output, make_output_pipe(what));
  }
  return channels;
}

// For poll(): rounded up, so that the time has come when it returns. -1: no limit.
int milliseconds_until(std::optional<SteadyTime> until) {
  if (!until) return -1;
  constexpr std::chrono::milliseconds k_longest = std::chrono::hours(1);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - SteadyTime::clock::now());
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), k_longest).count());
}

class PosixRunningProcess final : public RunningProcess {
 public:
  PosixRunningProcess(SupervisedCommand command, Descriptor output, Descriptor error_output)
      : command_(std::move(command)),
        output_(std::move(output), &ProcessOutput::on_output),
        error_output_(std::move(error_output), &ProcessOutput::on_error_output) {}

  std::optional<Result<ProcessEnd>> wait(ProcessOutput& output,
                                         std::optional<SteadyTime> until) override {
    while (!status_) {
      std::array<pollfd, 3> events{{{output_.fd(), POLLIN, 0},
                                    {error_output_.fd(), POLLIN, 0},
                                    {command_.status_fd(), POLLIN, 0}}};
      const int ready = ::poll(events.data(), events.size(), milliseconds_until(until));
      if (ready <= 0) {
        if (until && SteadyTime::clock::now() >= *until) return std::nullopt;
        continue;
      }
      if (events[0].revents != 0) output_.pump(output);
      if (events[1].revents != 0) error_output_.pump(output);
      if (events[2].revents != 0) take_status(output);
      // A command that writes without a pause must not hold up whoever looks at the clock.
      if (until && !status_ && SteadyTime::clock::now() >= *until) return std::nullopt;
    }
    return status_->end;
  }

  void stop() override { command_.order(SupervisorOrder::stop); }

  std::filesystem::path final_cwd() const override {
    return status_ ? status_->final_cwd : std::filesystem::path();
  }

 private:
  void take_status(ProcessOutput& output) {
    status_ = command_.take_status();
    if (!status_) return;
    output_.drain(output);
    error_output_.drain(output);
  }

  SupervisedCommand command_;
  OutputPump output_;
  OutputPump error_output_;
  std::optional<CommandStatus> status_;
};

class PosixProcessRunner final : public ProcessRunner {
 public:
  Result<std::unique_ptr<RunningProcess>> start(const ProcessSpec& spec) override {
    if (const auto checked = check_command(spec); !checked) return checked.error();
    YUME_TRY(Channels channels, open_channels(spec));
    const Pipe& errors =
        spec.stderr_mode == StderrMode::apart ? channels.error_output : channels.output;
    YUME_TRY(SupervisedCommand command,
             SupervisedCommand::start(spec,
                                      {.input = channels.input.get(),
                                       .output = channels.output.write_end.get(),
                                       .error_output = errors.write_end.get()},
                                      StartReport::none, *sandboxes_));
    return std::unique_ptr<RunningProcess>(std::make_unique<PosixRunningProcess>(
        std::move(command), std::move(channels.output.read_end),
        std::move(channels.error_output.read_end)));
  }

 private:
  std::unique_ptr<SandboxMaker> sandboxes_ = make_sandbox_maker();
};

}  // namespace

std::unique_ptr<ProcessRunner> make_process_runner() {
  return std::make_unique<PosixProcessRunner>();
}

}  // namespace yume::platform
