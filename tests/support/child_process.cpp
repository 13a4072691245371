// SPDX-License-Identifier: MIT
#include "support/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

namespace yume::test {
namespace {

struct SignalName {
  int number;
  std::string_view name;
};

constexpr std::array k_signals{
    SignalName{SIGINT, "SIGINT"},   SignalName{SIGTERM, "SIGTERM"}, SignalName{SIGKILL, "SIGKILL"},
    SignalName{SIGHUP, "SIGHUP"},   SignalName{SIGQUIT, "SIGQUIT"}, SignalName{SIGPIPE, "SIGPIPE"},
    SignalName{SIGUSR1, "SIGUSR1"}, SignalName{SIGUSR2, "SIGUSR2"}, SignalName{SIGABRT, "SIGABRT"},
    SignalName{SIGSEGV, "SIGSEGV"}, SignalName{SIGBUS, "SIGBUS"},   SignalName{SIGFPE, "SIGFPE"},
    SignalName{SIGILL, "SIGILL"},   SignalName{SIGTRAP, "SIGTRAP"},
};

std::string signal_name(int number) {
  for (const SignalName& entry : k_signals) {
    if (entry.number == number) return std::string(entry.name);
  }
  return "signal " + std::to_string(number);
}

Error system_error(const std::string& what, int number) {
  return Error{.code = ErrorCode::io, .message = what + ": " + std::strerror(number)};
}

std::vector<char*> pointers(const std::vector<std::string>& texts) {
  std::vector<char*> out;
  for (const std::string& text : texts) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

// Attributes and file actions of posix_spawn, with their clean-up.
class SpawnPlan {
 public:
  SpawnPlan() {
    posix_spawnattr_init(&attributes);
    posix_spawn_file_actions_init(&actions);
    // A new session, so that the group can be killed; default signals and an empty mask, as the
    // runner itself ignores SIGPIPE and a shell's background job has SIGINT ignored.
    sigset_t defaults;
    sigemptyset(&defaults);
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGCHLD}) {
      sigaddset(&defaults, number);
    }
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes,
                             static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF |
                                                POSIX_SPAWN_SETSIGMASK | k_keep_descriptors));
  }
  SpawnPlan(const SpawnPlan&) = delete;
  SpawnPlan& operator=(const SpawnPlan&) = delete;
  // Not every descriptor of this process is close-on-exec from its first moment, and another
  // thread's socket in this child would keep a connection open.
  void pass_on_standard_streams_only() {
#if !defined(__APPLE__)
    posix_spawn_file_actions_addclosefrom_np(&actions, STDERR_FILENO + 1);
#endif
  }
  ~SpawnPlan() {
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
  }

  posix_spawnattr_t attributes;
  posix_spawn_file_actions_t actions;

 private:
#if defined(__APPLE__)
  static constexpr int k_keep_descriptors = POSIX_SPAWN_CLOEXEC_DEFAULT;
#else
  static constexpr int k_keep_descriptors = 0;
#endif
};

void make_non_blocking(int fd) {
  fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}

}  // namespace

int signal_number(std::string_view name) {
  for (const SignalName& entry : k_signals) {
    if (entry.name == name) return entry.number;
  }
  return 0;
}

ChildProcess::Fd::Fd(Fd&& other) noexcept : number_(std::exchange(other.number_, -1)) {}

ChildProcess::Fd& ChildProcess::Fd::operator=(Fd&& other) noexcept {
  if (this != &other) {
    reset();
    number_ = std::exchange(other.number_, -1);
  }
  return *this;
}

void ChildProcess::Fd::reset() {
  if (number_ >= 0) ::close(std::exchange(number_, -1));
}

Result<ChildProcess::Pipe> ChildProcess::make_pipe() {
  std::array<int, 2> ends{};
#if defined(__APPLE__)
  // No other child takes them along: start() passes nothing on but what it names.
  if (::pipe(ends.data()) != 0) return system_error("cannot make a pipe", errno);
  for (const int end : ends) ::fcntl(end, F_SETFD, FD_CLOEXEC);
#else
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return system_error("cannot make a pipe", errno);
#endif
  return Pipe{.read_end = Fd(ends[0]), .write_end = Fd(ends[1])};
}

Result<std::unique_ptr<ChildProcess>> ChildProcess::spawn(const ChildOptions& options) {
  YUME_TRY(Pipe in, make_pipe());
  YUME_TRY(Pipe out, make_pipe());
  YUME_TRY(Pipe err, make_pipe());
  YUME_TRY(Pipe exit, make_pipe());
  std::unique_ptr<ChildProcess> child(new ChildProcess);
  child->watchdog_ = options.watchdog;
  if (auto started = child->start(options, in.read_end, out.write_end, err.write_end);
      !started.ok()) {
    return std::move(started).error();
  }
  if (options.stdin_kind == ChildStdin::pipe) {
    child->stdin_ = std::move(in.write_end);
    make_non_blocking(child->stdin_.get());
  }
  child->stdout_ = std::move(out.read_end);
  child->stderr_ = std::move(err.read_end);
  child->exit_seen_ = std::move(exit.read_end);
  make_non_blocking(child->stdout_.get());
  make_non_blocking(child->stderr_.get());
  child->wait_in_background(std::move(exit.write_end));
  return child;
}

Result<void> ChildProcess::start(const ChildOptions& options, const Fd& in, const Fd& out,
                                 const Fd& err) {
  SpawnPlan plan;
  switch (options.stdin_kind) {
    case ChildStdin::null:
      posix_spawn_file_actions_addopen(&plan.actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
      break;
    case ChildStdin::closed:
      posix_spawn_file_actions_addclose(&plan.actions, STDIN_FILENO);
      break;
    case ChildStdin::pipe:
      posix_spawn_file_actions_adddup2(&plan.actions, in.get(), STDIN_FILENO);
      break;
  }
  posix_spawn_file_actions_adddup2(&plan.actions, out.get(), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&plan.actions, err.get(), STDERR_FILENO);
  plan.pass_on_standard_streams_only();
  posix_spawn_file_actions_addchdir_np(&plan.actions, options.cwd.c_str());
  const std::vector<char*> argv = pointers(options.argv);
  const std::vector<char*> environment = pointers(options.environment);
  const int failed =
      posix_spawn(&pid_, argv[0], &plan.actions, &plan.attributes, argv.data(), environment.data());
  if (failed != 0) {
    pid_ = -1;
    return system_error("cannot start " + options.argv[0], failed);
  }
  return {};
}

// A thread may block in waitid where poll() can't; WNOWAIT keeps the pid ours until reap().
void ChildProcess::wait_in_background(Fd exit_signal) {
  waiter_ = std::thread([pid = pid_, signal = std::move(exit_signal)] {
    siginfo_t info{};
    while (::waitid(P_PID, static_cast<id_t>(pid), &info, WEXITED | WNOWAIT) != 0 &&
           errno == EINTR) {
    }
    // The end of the pipe says it: the descriptor closes with the thread's function.
  });
}

ChildProcess::~ChildProcess() {
  if (pid_ >= 0 && !reaped_) {
    ::kill(-pid_, SIGKILL);
    reap();
  }
}

void ChildProcess::write_stdin(std::string_view bytes) {
  if (stdin_.open() && !stdin_ends_) stdin_pending_ += bytes;
}

void ChildProcess::close_stdin() {
  stdin_ends_ = true;
  feed_stdin();
}

void ChildProcess::close_stdout(std::size_t keep) {
  stdout_.reset();
  stdout_text_.resize(std::min(keep, stdout_text_.size()));
}

void ChildProcess::send_signal(int number) {
  if (!reaped_) ::kill(pid_, number);
}

void ChildProcess::feed_stdin() {
  while (stdin_.open() && !stdin_pending_.empty()) {
    const ssize_t count = ::write(stdin_.get(), stdin_pending_.data(), stdin_pending_.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return;
    if (count < 0) {  // EPIPE: the child reads no more
      stdin_pending_.clear();
      stdin_.reset();
      return;
    }
    stdin_pending_.erase(0, static_cast<std::size_t>(count));
  }
  if (stdin_ends_) stdin_.reset();
}

// Appends at most one block, so that a callback is never late by more than that; closes at the end.
// False when nothing was there.
bool ChildProcess::read_available(Fd& fd, std::string& text) {
  std::array<char, 64 * 1024> block{};
  while (fd.open()) {
    const ssize_t count = ::read(fd.get(), block.data(), block.size());
    if (count > 0) {
      text.append(block.data(), static_cast<std::size_t>(count));
      return true;
    }
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && errno == EAGAIN) return false;
    fd.reset();
  }
  return false;
}

bool ChildProcess::read_outputs(const OnStdout& on_stdout) {
  const bool some_stderr = read_available(stderr_, stderr_text_);
  const bool some_stdout = read_available(stdout_, stdout_text_);
  if (some_stdout && on_stdout) on_stdout(*this);
  return some_stdout || some_stderr;
}

// False when the deadline passed.
bool ChildProcess::poll_once(std::chrono::steady_clock::time_point deadline,
                             const OnStdout& on_stdout) {
  const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
      deadline - std::chrono::steady_clock::now());
  if (left.count() <= 0) return false;
  const bool feeding = stdin_.open() && !stdin_pending_.empty();
  std::array<pollfd, 4> fds{pollfd{exit_seen_.get(), POLLIN, 0}, pollfd{stdout_.get(), POLLIN, 0},
                            pollfd{stderr_.get(), POLLIN, 0},
                            pollfd{feeding ? stdin_.get() : -1, POLLOUT, 0}};
  const int ready = ::poll(fds.data(), fds.size(), static_cast<int>(left.count()));
  if (ready <= 0) return true;  // the next call sees whether time is over
  if (fds[3].revents != 0) feed_stdin();
  if ((fds[1].revents | fds[2].revents) != 0) (void)read_outputs(on_stdout);
  if (fds[0].revents != 0) exited_ = true;
  return true;
}

ChildExit ChildProcess::run(const OnStdout& on_stdout) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + watchdog_;
  bool hang = false;
  feed_stdin();
  while (!exited_) {
    if (poll_once(hang ? Clock::now() + std::chrono::hours(1) : deadline, on_stdout)) continue;
    hang = true;
    ::kill(-pid_, SIGKILL);
  }
  // All the child wrote is in the pipes by now.
  while (read_outputs(on_stdout)) {
  }
  ChildExit exit = reap();
  exit.hang = hang;
  return exit;
}

ChildExit ChildProcess::reap() {
  if (waiter_.joinable()) waiter_.join();
  int status = 0;
  while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
  }
  reaped_ = true;
  if (WIFSIGNALED(status)) return {.status = signal_name(WTERMSIG(status))};
  return {.status = std::to_string(WEXITSTATUS(status))};
}

}  // namespace yume::test
