// SPDX-License-Identifier: MIT
#include "platform/process.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
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
  Descriptor input;  // closed: the command's stdin is empty
  Pipe output;
  Pipe error_output;  // unused with StderrMode::with_stdout
  Pipe control;
  Pipe status;
};

Result<Channels> open_channels(const ProcessSpec& spec) {
  Channels channels;
  const auto refuse = [&spec](const Error& why) {
    return Error{.code = why.code, .message = "cannot start " + spec.argv[0] + ": " + why.message};
  };
  if (!spec.input.empty()) {
    auto made = make_nameless_file(spec.input);
    if (!made) return refuse(made.error());
    channels.input = std::move(*made);
  }
  for (Pipe* pipe :
       {&channels.output, &channels.error_output, &channels.control, &channels.status}) {
    const bool wanted = pipe != &channels.error_output || spec.stderr_mode == StderrMode::apart;
    if (!wanted) continue;
    auto made = make_pipe();
    if (!made) return refuse(made.error());
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

// One of the command's streams.
class OutputPump {
 public:
  using Deliver = void (ProcessOutput::*)(std::string_view bytes);

  OutputPump(int fd, Deliver deliver) : fd_(fd), deliver_(deliver) {}

  // -1 when there is none and after the end of the output: poll() then skips it.
  int fd() const { return fd_; }

  // Hands on what one read gives; 0 when nothing is there.
  std::size_t pump(char* buffer, ProcessOutput& output) {
    if (fd_ < 0) return 0;
    const ssize_t got = ::read(fd_, buffer, k_read_size);
    if (got > 0) {
      (output.*deliver_)({buffer, static_cast<std::size_t>(got)});
      return static_cast<std::size_t>(got);
    }
    if (got == 0 || (errno != EAGAIN && errno != EINTR)) fd_ = -1;
    return 0;
  }

  void drain(char* buffer, ProcessOutput& output) {
    for (std::size_t total = 0; total < k_drain_limit;) {
      const std::size_t got = pump(buffer, output);
      if (got == 0) return;
      total += got;
    }
  }

 private:
  int fd_;
  Deliver deliver_;
};

// For poll(): rounded up, so that the time has come when it returns. -1: no limit.
int milliseconds_until(std::optional<SteadyTime> until) {
  if (!until) return -1;
  constexpr std::chrono::milliseconds k_longest = std::chrono::hours(1);
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(*until - SteadyTime::clock::now());
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), k_longest).count());
}

bool has_started(SupervisorReport report) {
  using Kind = SupervisorReport::Kind;
  return report.kind != Kind::bad_directory && report.kind != Kind::bad_executable &&
         report.kind != Kind::no_process;
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
                            .input_fd = channels.input.get(),
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

class PosixRunningProcess final : public RunningProcess {
 public:
  PosixRunningProcess(ProcessSpec spec, Channels channels, pid_t supervisor)
      : spec_(std::move(spec)),
        channels_(std::move(channels)),
        supervisor_(supervisor),
        output_(channels_.output.read_end.get(), &ProcessOutput::on_output),
        error_output_(channels_.error_output.read_end.get(), &ProcessOutput::on_error_output) {}
  PosixRunningProcess(const PosixRunningProcess&) = delete;
  PosixRunningProcess& operator=(const PosixRunningProcess&) = delete;

  // The closed control pipe tells the supervisor to kill what is left.
  ~PosixRunningProcess() override {
    channels_.control.write_end.close();
    reap_supervisor();
  }

  std::optional<Result<ProcessEnd>> wait(ProcessOutput& output,
                                         std::optional<SteadyTime> until) override {
    while (!end_) {
      const int status_fd = channels_.status.read_end.get();
      std::array<pollfd, 3> events{
          {{output_.fd(), POLLIN, 0}, {error_output_.fd(), POLLIN, 0}, {status_fd, POLLIN, 0}}};
      const int ready = ::poll(events.data(), events.size(), milliseconds_until(until));
      if (ready <= 0) {
        if (until && SteadyTime::clock::now() >= *until) return std::nullopt;
        continue;
      }
      if (events[0].revents != 0) output_.pump(buffer_.get(), output);
      if (events[1].revents != 0) error_output_.pump(buffer_.get(), output);
      if (events[2].revents != 0) take_status(output);
      // A command that writes without a pause must not hold up whoever looks at the clock.
      if (until && !end_ && SteadyTime::clock::now() >= *until) return std::nullopt;
    }
    return end_;
  }

  // The reading end of the control pipe stays open here, so this write cannot raise SIGPIPE.
  void stop() override {
    [[maybe_unused]] const auto written = ::write(channels_.control.write_end.get(), "c", 1);
  }

  std::filesystem::path final_cwd() const override { return final_cwd_; }

 private:
  void take_status(ProcessOutput& output) {
    std::array<char, k_longest_status> message;
    const ssize_t got = ::read(channels_.status.read_end.get(), message.data(), message.size());
    if (got < 0 && errno == EINTR) return;
    // When the supervisor itself was killed there is no report.
    SupervisorReport report{SupervisorReport::Kind::signalled, SIGKILL};
    if (got >= static_cast<ssize_t>(sizeof report)) {
      std::memcpy(&report, message.data(), sizeof report);
      // Behind the report of a command that did not start comes that of its supervisor.
      if (has_started(report)) {
        final_cwd_ = std::string_view(message.data() + sizeof report,
                                      static_cast<std::size_t>(got) - sizeof report);
      }
    }
    // Not until end of file: a supervisor being forked by another thread may hold the other end.
    output_.drain(buffer_.get(), output);
    error_output_.drain(buffer_.get(), output);
    end_ = interpret(report, spec_);
    reap_supervisor();
  }

  void reap_supervisor() {
    if (supervisor_ <= 0) return;
    while (::waitpid(supervisor_, nullptr, 0) < 0 && errno == EINTR) {
    }
    supervisor_ = 0;
  }

  ProcessSpec spec_;
  Channels channels_;
  pid_t supervisor_;  // 0 once reaped
  OutputPump output_;
  OutputPump error_output_;
  std::unique_ptr<char[]> buffer_ = std::make_unique_for_overwrite<char[]>(k_read_size);
  std::optional<Result<ProcessEnd>> end_;
  std::filesystem::path final_cwd_;
};

class PosixProcessRunner final : public ProcessRunner {
 public:
  Result<std::unique_ptr<RunningProcess>> start(const ProcessSpec& spec) override {
    if (const auto checked = check(spec); !checked) return checked.error();
    YUME_TRY(Channels channels, open_channels(spec));
    YUME_TRY(const pid_t pid, fork_supervisor(spec, channels));
    channels.input.close();
    channels.output.write_end.close();
    channels.error_output.write_end.close();
    channels.status.write_end.close();
    return std::unique_ptr<RunningProcess>(
        std::make_unique<PosixRunningProcess>(spec, std::move(channels), pid));
  }
};

}  // namespace

std::unique_ptr<ProcessRunner> make_process_runner() {
  return std::make_unique<PosixProcessRunner>();
}

std::string signal_name(int signal) {
#if defined(__GLIBC__)
  if (const char* name = ::sigabbrev_np(signal)) return std::string("SIG") + name;
#endif
  return "signal " + std::to_string(signal);
}

}  // namespace yume::platform
