// SPDX-License-Identifier: MIT
#include "platform/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstddef>
#include <utility>

#include "platform/descriptor_posix.h"
#include "platform/supervisor_posix.h"

namespace yume::platform {

namespace {

constexpr std::size_t k_read_size = 64 * 1024;
// More than a pipe can hold. Only a process that escaped its killed supervisor could still
// be writing while we empty the pipe, and it must not keep us here.
constexpr std::size_t k_drain_limit = 1024 * 1024;

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> pointers;
  pointers.reserve(strings.size() + 1);
  // execve takes char* const[] for historical reasons and writes to none of it.
  for (const std::string& text : strings) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

bool has_nul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

Result<void> check(const ProcessSpec& spec) {
  const auto refuse = [](std::string message) {
    return Error{.code = ErrorCode::invalid_argument, .message = std::move(message)};
  };
  if (spec.argv.empty()) return refuse("cannot start a process: no command given");
  const std::string& command = spec.argv[0];
  if (command.empty() || command[0] != '/') {
    return refuse("cannot start " + command + ": not an absolute path");
  }
  for (const std::string& argument : spec.argv) {
    if (has_nul(argument)) return refuse("cannot start " + command + ": NUL byte in an argument");
  }
  for (const std::string& variable : spec.environment) {
    if (has_nul(variable)) return refuse("cannot start " + command + ": NUL byte in a variable");
  }
  if (has_nul(spec.cwd.native())) return refuse("cannot start " + command + ": NUL byte in cwd");
  return {};
}

struct Channels {
  Pipe output;
  Pipe error_output;  // unused with StderrMode::with_stdout
  Pipe control;
  Pipe status;
};

Result<Channels> open_channels(const ProcessSpec& spec) {
  Channels channels;
  for (Pipe* pipe :
       {&channels.output, &channels.error_output, &channels.control, &channels.status}) {
    const bool wanted = pipe != &channels.error_output || spec.stderr_mode == StderrMode::apart;
    if (!wanted) continue;
    auto made = make_pipe();
    if (!made) {
      return Error{.code = made.error().code,
                   .message = "cannot start " + spec.argv[0] + ": " + made.error().message};
    }
    *pipe = std::move(*made);
  }
  for (const Pipe* pipe : {&channels.output, &channels.error_output}) {
    if (pipe->read_end.is_open() && !set_nonblocking(pipe->read_end.get())) {
      return error_from_errno("cannot start " + spec.argv[0], EIO);
    }
  }
  return channels;
}

// No handler of this process may run in the fork before the supervisor has reset them.
class AllSignalsBlocked {
 public:
  AllSignalsBlocked() {
    sigset_t all;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before_);
  }
  ~AllSignalsBlocked() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_;
};

// Waits for the supervisor on every way out. Closing the control pipe first ends the tree, if an
// exception is the reason.
class RunningSupervisor {
 public:
  RunningSupervisor(pid_t pid, Pipe& control) : pid_(pid), control_(control) {}
  RunningSupervisor(const RunningSupervisor&) = delete;
  RunningSupervisor& operator=(const RunningSupervisor&) = delete;
  ~RunningSupervisor() {
    control_.write_end.close();
    while (::waitpid(pid_, nullptr, 0) < 0 && errno == EINTR) {
    }
  }

 private:
  pid_t pid_;
  Pipe& control_;
};

class OutputPump {
 public:
  using Deliver = void (ProcessOutput::*)(std::string_view bytes);

  OutputPump(int fd, ProcessOutput& output, Deliver deliver)
      : fd_(fd), output_(output), deliver_(deliver) {}

  // -1 when there is none and after the end of the output: poll() then skips it.
  int fd() const { return fd_; }

  // Hands on what one read gives; 0 when nothing is there.
  std::size_t pump() {
    if (fd_ < 0) return 0;
    const ssize_t got = ::read(fd_, buffer_.get(), k_read_size);
    if (got > 0) {
      (output_.*deliver_)({buffer_.get(), static_cast<std::size_t>(got)});
      return static_cast<std::size_t>(got);
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) fd_ = -1;
    return 0;
  }

  void drain() {
    for (std::size_t total = 0; total < k_drain_limit;) {
      const std::size_t got = pump();
      if (got == 0) return;
      total += got;
    }
  }

 private:
  int fd_;
  ProcessOutput& output_;
  Deliver deliver_;
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(k_read_size);
};

// Passes output on until the supervisor says how the command ended.
SupervisorReport follow(const Channels& channels, ProcessOutput& output) {
  // When the supervisor itself was killed there is no report.
  SupervisorReport report{SupervisorReport::Kind::signalled, SIGKILL};
  OutputPump pump(channels.output.read_end.get(), output, &ProcessOutput::on_output);
  OutputPump error_pump(channels.error_output.read_end.get(), output,
                        &ProcessOutput::on_error_output);
  for (;;) {
    const int status_fd = channels.status.read_end.get();
    std::array<pollfd, 3> events{
        {{pump.fd(), POLLIN, 0}, {error_pump.fd(), POLLIN, 0}, {status_fd, POLLIN, 0}}};
    if (::poll(events.data(), events.size(), -1) < 0) continue;
    if (events[0].revents != 0) pump.pump();
    if (events[1].revents != 0) error_pump.pump();
    if (events[2].revents == 0) continue;
    SupervisorReport received{};
    const ssize_t got = ::read(status_fd, &received, sizeof received);
    if (got < 0 && errno == EINTR) continue;
    if (got == static_cast<ssize_t>(sizeof received)) report = received;
    // Not until end of file: a supervisor being forked by another thread may hold the other end.
    pump.drain();
    error_pump.drain();
    return report;
  }
}

Result<ProcessEnd> interpret(SupervisorReport report, const ProcessSpec& spec) {
  using Kind = SupervisorReport::Kind;
  switch (report.kind) {
    case Kind::exited:
      return ProcessEnd{.kind = ProcessEndKind::exited, .exit_code = report.value};
    case Kind::signalled:
      return ProcessEnd{.kind = ProcessEndKind::signalled, .signal = report.value};
    case Kind::timed_out:
      return ProcessEnd{.kind = ProcessEndKind::timed_out};
    case Kind::cancelled:
      return ProcessEnd{.kind = ProcessEndKind::cancelled};
    case Kind::bad_directory:
      return error_from_errno("cannot work in " + spec.cwd.string(), report.value);
    case Kind::bad_executable:
    case Kind::no_process:
      break;
  }
  return error_from_errno("cannot start " + spec.argv[0], report.value);
}

Result<pid_t> fork_supervisor(const ProcessSpec& spec, const Channels& channels) {
  const std::vector<char*> argv = pointers_to(spec.argv);
  const std::vector<char*> environment = pointers_to(spec.environment);
  const Pipe& error_output =
      spec.stderr_mode == StderrMode::apart ? channels.error_output : channels.output;
  const SupervisorPlan plan{.directory = spec.cwd.c_str(),
                            .argv = argv.data(),
                            .environment = environment.data(),
                            .timeout = spec.timeout,
                            .output_fd = channels.output.write_end.get(),
                            .error_fd = error_output.write_end.get(),
                            .control_fd = channels.control.read_end.get(),
                            .status_fd = channels.status.write_end.get()};
  const AllSignalsBlocked blocked;
  const pid_t pid = ::fork();
  if (pid == 0) supervise(plan);
  if (pid < 0) return error_from_errno("cannot start " + spec.argv[0], errno);
  return pid;
}

class PosixProcessRunner final : public ProcessRunner {
 public:
  Result<ProcessEnd> run(const ProcessSpec& spec, ProcessOutput& output,
                         const CancelToken& cancel) override {
    if (const auto checked = check(spec); !checked) return checked.error();
    if (cancel.stop_requested()) return ProcessEnd{.kind = ProcessEndKind::cancelled};
    YUME_TRY(Channels channels, open_channels(spec));
    YUME_TRY(const pid_t pid, fork_supervisor(spec, channels));
    const RunningSupervisor supervisor(pid, channels.control);
    channels.output.write_end.close();
    channels.error_output.write_end.close();
    channels.status.write_end.close();
    // The reading end of the control pipe stays open here, so this write cannot raise SIGPIPE.
    const OnCancel on_cancel(cancel, [fd = channels.control.write_end.get()] {
      [[maybe_unused]] const auto written = ::write(fd, "c", 1);
    });
    return interpret(follow(channels, output), spec);
  }
};

}  // namespace

std::unique_ptr<ProcessRunner> make_process_runner() {
  return std::make_unique<PosixProcessRunner>();
}

}  // namespace yume::platform
