// SPDX-License-Identifier: MIT
#include "platform/supervised_command_posix.h"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "util/path_text.h"

namespace yume::platform {

namespace {

using Kind = SupervisorReport::Kind;

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

// What the supervisor needs of the steps, which outlive it.
class PreparedSteps {
 public:
  explicit PreparedSteps(const std::vector<ProcessStep>& steps) {
    for (const ProcessStep& step : steps) argvs_.push_back(pointers_to(step.argv));
    for (std::size_t i = 0; i < steps.size(); ++i) {
      const ProcessStep& step = steps[i];
      plans_.push_back({.joint = step.joint,
                        .argv = step.argv.empty() ? nullptr : argvs_[i].data(),
                        .name = step.name.c_str(),
                        .directory = step.directory.empty() ? nullptr : step.directory.c_str(),
                        .drops_output = step.drops_output,
                        .drops_errors = step.drops_errors,
                        .errors_to_output = step.errors_to_output});
    }
  }
  [[nodiscard]] std::span<const StepPlan> plans() const { return plans_; }

 private:
  std::vector<std::vector<char*>> argvs_;
  std::vector<StepPlan> plans_;
};

bool has_nul(std::string_view text) {
  return text.find('\0') != std::string_view::npos;
}

bool has_started(SupervisorReport report) {
  return report.kind != Kind::bad_directory && report.kind != Kind::bad_executable &&
         report.kind != Kind::bad_sandbox && report.kind != Kind::no_process;
}

Result<ProcessEnd> interpret(SupervisorReport report, const ProcessSpec& spec) {
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
      return error_from_errno("cannot work in " + to_utf8(spec.cwd), report.value);
    case Kind::bad_sandbox:
      return error_from_errno("cannot start " + spec.argv[0] + ": its sandbox could not be set up",
                              report.value);
    case Kind::started:
    case Kind::bad_executable:
    case Kind::no_process:
      break;
  }
  return error_from_errno("cannot start " + spec.argv[0], report.value);
}

Result<Pipe> make_stream(const std::string& what, Descriptor Pipe::*ours) {
  auto pipe = make_pipe();
  if (!pipe) return Error{.code = pipe.error().code, .message = what + ": " + pipe.error().message};
  if (!set_nonblocking((*pipe.*ours).get())) return error_from_errno(what, EIO);
  return pipe;
}

}  // namespace

Result<void> check_command(const ProcessSpec& spec) {
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
  for (const ProcessStep& step : spec.steps) {
    for (const std::string& argument : step.argv) {
      if (has_nul(argument)) return refuse("cannot start " + command + ": NUL byte in an argument");
    }
  }
  for (const std::string& variable : spec.environment) {
    if (has_nul(variable)) return refuse("cannot start " + command + ": NUL byte in a variable");
  }
  if (has_nul(spec.cwd.native())) return refuse("cannot start " + command + ": NUL byte in cwd");
  return {};
}

namespace {

void put_behind(const std::vector<std::string>& starter, std::vector<std::string>& argv) {
  if (!argv.empty()) argv.insert(argv.begin(), starter.begin(), starter.end());
}

}  // namespace

Result<Pipe> make_output_pipe(const std::string& what) {
  return make_stream(what, &Pipe::read_end);
}

Result<Pipe> make_input_pipe(const std::string& what) {
  return make_stream(what, &Pipe::write_end);
}

Result<SupervisedCommand> SupervisedCommand::start(const ProcessSpec& spec,
                                                   const CommandStreams& streams,
                                                   StartReport report, SandboxMaker& sandboxes) {
  SupervisedCommand command(spec);
  std::unique_ptr<PreparedSandbox> sandbox;
  if (spec.sandbox) {
    auto prepared = sandboxes.prepare(*spec.sandbox);
    if (!prepared.ok()) {
      return Error{.code = prepared.error().code,
                   .message = "cannot start " + spec.argv[0] + ": " + prepared.error().message};
    }
    sandbox = std::move(prepared).value();
    command.starter_ = sandbox->starter();
  }
  if (const auto opened = command.open_channels(); !opened) return opened.error();
  if (const auto forked = command.fork_supervisor(streams, report, sandbox.get()); !forked) {
    return forked.error();
  }
  if (report == StartReport::wanted) {
    if (const auto started = command.take_start(); !started) return started.error();
  }
  return command;
}

SupervisedCommand::SupervisedCommand(ProcessSpec spec) : spec_(std::move(spec)) {}

SupervisedCommand::SupervisedCommand(SupervisedCommand&& other) noexcept
    : spec_(std::move(other.spec_)),
      starter_(std::move(other.starter_)),
      control_(std::move(other.control_)),
      status_(std::move(other.status_)),
      supervisor_(std::exchange(other.supervisor_, 0)) {}

// The closed control pipe makes the supervisor kill what is left.
SupervisedCommand::~SupervisedCommand() {
  control_.write_end.close();
  reap();
}

Result<void> SupervisedCommand::open_channels() {
  for (Pipe* pipe : {&control_, &status_}) {
    auto made = make_pipe();
    if (!made) {
      return Error{.code = made.error().code,
                   .message = "cannot start " + spec_.argv[0] + ": " + made.error().message};
    }
    *pipe = std::move(*made);
  }
  return {};
}

Result<void> SupervisedCommand::fork_supervisor(const CommandStreams& streams, StartReport report,
                                                PreparedSandbox* sandbox) {
  std::vector<std::string> words = spec_.argv;
  put_behind(starter_, words);
  std::vector<ProcessStep> walled = spec_.steps;
  for (ProcessStep& step : walled) put_behind(starter_, step.argv);
  const std::vector<char*> argv = pointers_to(words);
  const std::vector<char*> environment = pointers_to(spec_.environment);
  const PreparedSteps steps(walled);
  const SupervisorPlan plan{.directory = spec_.cwd.c_str(),
                            .argv = argv.data(),
                            .environment = environment.data(),
                            .timeout = spec_.timeout,
                            .input_fd = streams.input,
                            .output_fd = streams.output,
                            .error_fd = streams.error_output,
                            .control_fd = control_.read_end.get(),
                            .status_fd = status_.write_end.get(),
                            .start_report = report,
                            .sandbox = sandbox,
                            .steps = steps.plans()};
  pid_t pid = -1;
  int why = 0;
  {
    // No handler of this process may run in the fork before the supervisor has reset them.
    const AllSignalsBlocked blocked;
    pid = ::fork();
    if (pid == 0) supervise(plan);
    why = errno;
  }
  if (pid < 0) return error_from_errno("cannot start " + spec_.argv[0], why);
  supervisor_ = pid;
  status_.write_end.close();
  return {};
}

Result<void> SupervisedCommand::take_start() const {
  // Only the report of the start: that of the end may be behind it already.
  SupervisorReport report{};
  ssize_t got = 0;
  do {
    got = ::read(status_fd(), &report, sizeof report);
  } while (got < 0 && errno == EINTR);
  if (got != static_cast<ssize_t>(sizeof report)) {
    return Error{.code = ErrorCode::io,
                 .message = "cannot start " + spec_.argv[0] + ": its supervisor was killed"};
  }
  if (report.kind == Kind::started) return {};
  return interpret(report, spec_).error();
}

void SupervisedCommand::order(SupervisorOrder order) const {
  // The reading end of the control pipe stays open here, so this write cannot raise SIGPIPE.
  [[maybe_unused]] const auto written = ::write(control_.write_end.get(), &order, sizeof order);
}

std::optional<CommandStatus> SupervisedCommand::take_status() {
  std::array<char, k_longest_status> message;
  const ssize_t got = ::read(status_fd(), message.data(), message.size());
  if (got < 0 && errno == EINTR) return std::nullopt;
  // When the supervisor itself was killed there is no report.
  SupervisorReport report{Kind::signalled, SIGKILL};
  std::filesystem::path final_cwd;
  if (got >= static_cast<ssize_t>(sizeof report)) {
    std::memcpy(&report, message.data(), sizeof report);
    // Behind the report of a command that did not start comes that of its supervisor.
    if (has_started(report)) {
      final_cwd = std::string_view(message.data() + sizeof report,
                                   static_cast<std::size_t>(got) - sizeof report);
    }
  }
  reap();
  return CommandStatus{.end = interpret(report, spec_), .final_cwd = std::move(final_cwd)};
}

void SupervisedCommand::reap() {
  if (supervisor_ <= 0) return;
  while (::waitpid(supervisor_, nullptr, 0) < 0 && errno == EINTR) {
  }
  supervisor_ = 0;
}

AllSignalsBlocked::AllSignalsBlocked() {
  sigset_t all;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before_);
}

AllSignalsBlocked::~AllSignalsBlocked() {
  pthread_sigmask(SIG_SETMASK, &before_, nullptr);
}

std::size_t OutputPump::pump(ProcessOutput& output) {
  if (!fd_.is_open()) return 0;
  if (!buffer_) buffer_ = std::make_unique_for_overwrite<char[]>(k_read_size);
  const ssize_t got = ::read(fd_.get(), buffer_.get(), k_read_size);
  if (got > 0) {
    (output.*deliver_)({buffer_.get(), static_cast<std::size_t>(got)});
    return static_cast<std::size_t>(got);
  }
  if (got == 0 || (errno != EAGAIN && errno != EINTR)) fd_.close();
  return 0;
}

// Not until end of file: a supervisor being forked by another thread may hold the other end.
void OutputPump::drain(ProcessOutput& output) {
  for (std::size_t total = 0; total < k_drain_limit;) {
    const std::size_t got = pump(output);
    if (got == 0) return;
    total += got;
  }
}

}  // namespace yume::platform
