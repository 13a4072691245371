// SPDX-License-Identifier: MIT
// All code here runs after fork() in a process that had threads: only async-signal-safe calls, no
// allocation, no exceptions.
#include "platform/supervisor_posix.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

#include "platform/process_tree_posix.h"

#if defined(__linux__)
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

namespace yume::platform {

namespace {

using std::chrono::milliseconds;
using Time = std::chrono::steady_clock::time_point;
using Kind = SupervisorReport::Kind;

constexpr milliseconds k_timeout_grace{2000};
constexpr milliseconds k_cancel_grace{100};
// After the command's own end: lets `cmd > >(tee log)` finish, whose tee the shell does not await.
constexpr milliseconds k_linger{150};
// A process that survives KILL for so long hangs in the kernel or belongs to root (sudo). Its KILL
// stays pending; waiting for it would only hang the agent too.
constexpr milliseconds k_patience{1000};
constexpr milliseconds k_rescan{10};
constexpr milliseconds k_longest_wait = std::chrono::hours(1);
constexpr milliseconds k_longest_timeout =
    std::chrono::hours(24 * 365);  // more would overflow Time
constexpr int k_exit_not_started = 127;

Time now() {
  return std::chrono::steady_clock::now();
}

// A directory's path; empty when it is unknown, gone, or too long to be told.
struct Place {
  std::array<char, k_longest_status - sizeof(SupervisorReport)> text;
  std::size_t length = 0;
};

void write_status(int fd, SupervisorReport report, const Place& place) {
  std::array<char, k_longest_status> message;
  std::memcpy(message.data(), &report, sizeof report);
  std::memcpy(message.data() + sizeof report, place.text.data(), place.length);
  // When the agent is gone nobody needs it.
  [[maybe_unused]] const auto written = ::write(fd, message.data(), sizeof report + place.length);
}

void write_report(int fd, SupervisorReport report) {
  write_status(fd, report, Place{});
}

#if defined(__linux__)

constexpr int k_wait_flags = WNOHANG | __WALL;  // clone() children that do not send SIGCHLD, too

#if defined(__SANITIZE_THREAD__)
constexpr bool k_copies_memory = true;
#elif defined(__has_feature)
constexpr bool k_copies_memory = __has_feature(thread_sanitizer);
#else
constexpr bool k_copies_memory = false;
#endif
// ThreadSanitizer takes every clone() for a fork.
constexpr int k_clone_flags = CLONE_FS | SIGCHLD | (k_copies_memory ? 0 : CLONE_VM | CLONE_VFORK);

bool close_range_of(int first, int last) {
  return first > last || ::syscall(SYS_close_range, static_cast<unsigned>(first),
                                   static_cast<unsigned>(last), 0U) == 0;
}

void name_this_process() {
  // `pkill yume-cli` should hit the agent, not the one process that cleans up after it. Not by
  // prctl() itself: that of the sanitizers takes a lock, which another thread of the agent may have
  // held at the fork, and nobody would ever give it back here.
  ::syscall(SYS_prctl, PR_SET_NAME, "yume-supervisor", 0, 0, 0);
}

// If the command kills its supervisor (kill -9 $PPID), at least the command itself dies with it.
void die_with_supervisor() {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0);
}

#else

constexpr int k_wait_flags = WNOHANG;

bool close_range_of(int, int) {
  return false;
}
void name_this_process() {}
void die_with_supervisor() {}

#endif

using KeptDescriptors = std::array<int, 6>;

void close_one_by_one(const KeptDescriptors& kept) {
  rlimit limit{};
  ::getrlimit(RLIMIT_NOFILE, &limit);
  const int end = static_cast<int>(std::min<rlim_t>(limit.rlim_cur, 1 << 20));
  for (int fd = 0; fd < end; ++fd) {
    if (std::find(kept.begin(), kept.end(), fd) == kept.end()) ::close(fd);
  }
}

// The agent's descriptors include the control pipes of other calls, whose supervisors would not
// notice the agent's death while this process held them, and the host's stdout.
bool keep_only_own_descriptors(const SupervisorPlan& plan) {
  const int wall = plan.sandbox == nullptr ? -1 : plan.sandbox->descriptor();
  KeptDescriptors kept{plan.input_fd < 0 ? plan.output_fd : plan.input_fd,
                       wall < 0 ? plan.output_fd : wall,
                       plan.output_fd,
                       plan.error_fd,
                       plan.control_fd,
                       plan.status_fd};
  std::sort(kept.begin(), kept.end());
  bool closed = close_range_of(0, kept.front() - 1) && close_range_of(kept.back() + 1, ~0U >> 1);
  for (std::size_t i = 1; i < kept.size(); ++i) {
    closed = closed && close_range_of(kept[i - 1] + 1, kept[i] - 1);
  }
  if (!closed) close_one_by_one(kept);
  // Takes number 0, as the lowest; the command inherits it as its stdin unless it has another.
  const int null = ::open("/dev/null", O_RDWR);
  return null == STDIN_FILENO && ::dup2(null, STDOUT_FILENO) >= 0 &&
         ::dup2(null, STDERR_FILENO) >= 0;
}

// Handlers vanish with exec, but an ignored signal (SIGPIPE in the agent) would stay ignored. Safe
// here because every signal is blocked.
void reset_signal_dispositions() {
  struct sigaction action {};
  action.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) ::sigaction(signal, &action, nullptr);
}

// Returns only when the command could not be started.
int become_command(const SupervisorPlan& plan) {
  ::setsid();
  die_with_supervisor();
  if (plan.input_fd >= 0) ::dup2(plan.input_fd, STDIN_FILENO);
  ::dup2(plan.output_fd, STDOUT_FILENO);
  ::dup2(plan.error_fd, STDERR_FILENO);
  Kind failed = Kind::bad_directory;
  if (::chdir(plan.directory) == 0) {
    failed = Kind::bad_sandbox;
    errno = plan.sandbox == nullptr ? 0 : plan.sandbox->enter_as_command();
    if (errno == 0) {
      failed = Kind::bad_executable;
      sigset_t none;
      sigemptyset(&none);
      ::sigprocmask(SIG_SETMASK, &none, nullptr);
      if (!plan.steps.empty()) return run_steps(plan.steps, plan.environment);
      ::execve(plan.argv[0], plan.argv, plan.environment);
    }
  }
  write_report(plan.status_fd, {failed, errno});
  return k_exit_not_started;
}

struct Command {
  pid_t pid;         // -1: errno says why it could not be started
  bool tells_place;  // it shares its idea of the current directory with the supervisor
};

Command fork_command(const SupervisorPlan& plan) {
  const pid_t pid = ::fork();
  if (pid == 0) ::_exit(become_command(plan));
  return {pid, false};
}

#if defined(__linux__)

// The command shares its idea of the current directory with the supervisor (CLONE_FS; its own
// children get copies), so that the supervisor knows where it ended: after `exit`, `exec`, a syntax
// error or a signal, and without any help of the command. The price: the kernel does not raise the
// privileges of a program that the command itself turns into with exec, such as sudo.
//
// CLONE_VFORK and CLONE_VM spare a second copy of the agent's page tables; become_command changes
// no memory that the supervisor reads later.
Command start_command(const SupervisorPlan& plan) {
  constexpr std::size_t k_stack_size = 64 * 1024;
  alignas(16) static std::array<char, k_stack_size> stack;
  const auto become = [](void* given) {
    return become_command(*static_cast<const SupervisorPlan*>(given));
  };
  // Steps wait for each other: what runs them needs memory of its own.
  const int flags = plan.steps.empty() ? k_clone_flags : CLONE_FS | SIGCHLD;
  const pid_t pid =
      ::clone(become, stack.data() + stack.size(), flags, const_cast<SupervisorPlan*>(&plan));
  // An emulator (qemu) that runs programs of another processor cannot share it.
  return pid < 0 && errno == EINVAL ? fork_command(plan) : Command{pid, true};
}

Place current_place() {
  Place place;
  const long length = ::syscall(SYS_getcwd, place.text.data(), place.text.size());
  // The kernel counts the NUL, and puts "(unreachable)" before what lies outside the root.
  if (length > 1 && place.text[0] == '/') place.length = static_cast<std::size_t>(length) - 1;
  return place;
}

#else

Command start_command(const SupervisorPlan& plan) {
  return fork_command(plan);
}

Place current_place() {
  return {};
}

#endif

class Supervisor {
 public:
  Supervisor(const SupervisorPlan& plan, Command command, int child_events)
      : plan_(plan),
        command_(command.pid),
        tells_place_(command.tells_place),
        child_events_(child_events) {
    if (plan.timeout) deadline_ = now() + std::min(*plan.timeout, k_longest_timeout);
  }

  // Returns when no descendant is left.
  SupervisorReport watch();
  // Where the command was when it ended.
  const Place& last_place() const { return last_place_; }

 private:
  enum class Phase { running, stopping, lingering };
  enum class Wake { child, stop, terminate, kill, deadline };
  enum class Groups { stay, die };

  bool reap(Groups groups);
  void command_ended(int status);
  Wake wait() const;
  void ask_to_stop(Kind reason, milliseconds grace);
  SupervisorReport destroy();

  const SupervisorPlan& plan_;
  pid_t command_;  // 0 once reaped
  bool tells_place_;
  int child_events_;
  Phase phase_ = Phase::running;
  SupervisorReport end_{Kind::cancelled, 0};
  std::optional<Time> deadline_;
  Place last_place_{};
};

SupervisorReport Supervisor::watch() {
  for (;;) {
    const Wake wake = wait();
    // Whatever woke us: a command that has ended by now was neither cancelled nor too slow.
    if (!reap(Groups::stay) && !descendants_left()) return end_;
    if (wake == Wake::kill) return destroy();
    if (wake == Wake::stop || wake == Wake::terminate) {
      if (phase_ == Phase::lingering) return destroy();
      ask_to_stop(phase_ == Phase::stopping ? end_.kind : Kind::cancelled,
                  wake == Wake::stop ? k_cancel_grace : k_longest_timeout);
    }
    if (wake == Wake::deadline && now() >= *deadline_) {
      if (phase_ != Phase::running) return destroy();
      ask_to_stop(Kind::timed_out, k_timeout_grace);
    }
  }
}

// False when there are no children left. A subreaper then has no descendants either.
bool Supervisor::reap(Groups groups) {
  for (;;) {
    siginfo_t dead{};
    if (::waitid(P_ALL, 0, &dead, WEXITED | WNOWAIT | k_wait_flags) < 0) {
      if (errno != EINTR) return false;
      continue;
    }
    if (dead.si_pid == 0) return true;
    if (groups == Groups::die) kill_group_of_dead(dead.si_pid);
    int status = 0;
    const pid_t pid = ::waitpid(dead.si_pid, &status, k_wait_flags);
    if (pid > 0 && pid == command_) command_ended(status);
  }
}

void Supervisor::command_ended(int status) {
  command_ = 0;
  if (tells_place_) last_place_ = current_place();
  if (phase_ != Phase::running) return;
  if (WIFSIGNALED(status)) {
    end_ = {Kind::signalled, WTERMSIG(status)};
  } else {
    end_ = {Kind::exited, WEXITSTATUS(status)};
  }
  phase_ = Phase::lingering;
  deadline_ = now() + k_linger;
}

Supervisor::Wake Supervisor::wait() const {
  milliseconds patience = child_events_ < 0 ? k_rescan : k_longest_wait;
  if (deadline_) {
    const auto left = std::chrono::ceil<milliseconds>(*deadline_ - now());
    if (left.count() <= 0) return Wake::deadline;
    patience = std::min(patience, left);
  }
  std::array<pollfd, 2> events{{{plan_.control_fd, POLLIN, 0}, {child_events_, POLLIN, 0}}};
  ::poll(events.data(), events.size(), static_cast<int>(patience.count()));
  if (events[1].revents != 0) drain_child_events(child_events_);
  if (events[0].revents == 0) return Wake::child;
  SupervisorOrder order{};
  if (::read(plan_.control_fd, &order, sizeof order) != sizeof order) return Wake::kill;
  switch (order) {
    case SupervisorOrder::stop:
      return Wake::stop;
    case SupervisorOrder::terminate:
      return Wake::terminate;
    case SupervisorOrder::kill:
      break;
  }
  return Wake::kill;
}

void Supervisor::ask_to_stop(Kind reason, milliseconds grace) {
  const Time limit = now() + grace;
  deadline_ = phase_ == Phase::stopping && deadline_ ? std::min(*deadline_, limit) : limit;
  phase_ = Phase::stopping;
  end_ = {reason, 0};
  signal_descendants(SIGTERM, command_);
}

// Kills in passes: each death hands us the orphans it leaves, until there is nobody to wait for.
SupervisorReport Supervisor::destroy() {
  if (phase_ == Phase::running) phase_ = Phase::stopping;  // its end is our doing
  Time patience_ends = now() + k_patience;
  for (;;) {
    signal_descendants(SIGKILL, command_);
    std::array<pollfd, 1> events{{{child_events_, POLLIN, 0}}};
    const int ready = ::poll(events.data(), events.size(), static_cast<int>(k_rescan.count()));
    if (ready > 0) drain_child_events(child_events_);
    if (!reap(Groups::die) && !descendants_left()) return end_;
    if (ready > 0) patience_ends = now() + k_patience;
    if (now() > patience_ends) return end_;
  }
}

// Ends when whatever the calling process starts has become another program, or has ended.
class StartWatch {
 public:
  StartWatch() {
    if (::pipe(ends_.data()) != 0) return;
    for (const int fd : ends_) ::fcntl(fd, F_SETFD, FD_CLOEXEC);
  }
  StartWatch(const StartWatch&) = delete;
  StartWatch& operator=(const StartWatch&) = delete;

  bool usable() const { return ends_[0] >= 0; }

  void wait() {
    ::close(ends_[1]);
    char byte = 0;
    while (::read(ends_[0], &byte, 1) < 0 && errno == EINTR) {
    }
    ::close(ends_[0]);
  }

 private:
  std::array<int, 2> ends_{-1, -1};
};

[[noreturn]] void give_up(const SupervisorPlan& plan, Kind why) {
  write_report(plan.status_fd, {why, errno});
  ::_exit(k_exit_not_started);
}

// A command that could not be started has said so before `started` is written.
Command start_watched(const SupervisorPlan& plan) {
  if (plan.start_report == StartReport::none) return start_command(plan);
  StartWatch watch;
  if (!watch.usable()) return {-1, false};
  const Command command = start_command(plan);
  if (command.pid < 0) return command;
  watch.wait();
  write_report(plan.status_fd, {Kind::started, 0});
  return command;
}

}  // namespace

void supervise(const SupervisorPlan& plan) {
  ::setsid();  // out of reach of the terminal's signals
  if (!keep_only_own_descriptors(plan)) give_up(plan, Kind::no_process);
  name_this_process();
  adopt_orphans();
  reset_signal_dispositions();
  errno = plan.sandbox == nullptr ? 0 : plan.sandbox->enter_as_supervisor();
  if (errno != 0) give_up(plan, Kind::bad_sandbox);
  const int child_events = open_child_events();
  const Command command = start_watched(plan);
  if (command.pid < 0) give_up(plan, Kind::no_process);
  if (plan.input_fd >= 0) ::close(plan.input_fd);
  ::close(plan.output_fd);
  if (plan.error_fd != plan.output_fd) ::close(plan.error_fd);
  if (plan.sandbox != nullptr) ::close(plan.sandbox->descriptor());
  Supervisor supervisor(plan, command, child_events);
  const SupervisorReport report = supervisor.watch();
  write_status(plan.status_fd, report, supervisor.last_place());
  ::_exit(0);
}

}  // namespace yume::platform
