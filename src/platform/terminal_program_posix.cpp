// SPDX-License-Identifier: MIT
#include "platform/terminal_program.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "platform/descriptor_posix.h"

namespace yume::platform {
namespace {

constexpr std::array k_keys = {SIGINT, SIGQUIT};

struct sigaction action_of(void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  return action;
}

// The terminal sends its keys to every process in front, this one among them.
class IgnoredKeys {
 public:
  IgnoredKeys() {
    const struct sigaction ignored = action_of(SIG_IGN);
    for (std::size_t i = 0; i < k_keys.size(); ++i) ::sigaction(k_keys[i], &ignored, &before_[i]);
  }
  IgnoredKeys(const IgnoredKeys&) = delete;
  IgnoredKeys& operator=(const IgnoredKeys&) = delete;
  ~IgnoredKeys() {
    const struct sigaction ignored = action_of(SIG_IGN);
    for (std::size_t i = 0; i < k_keys.size(); ++i) {
      // One that came while signals are blocked waits; ignoring it again takes it away.
      ::sigaction(k_keys[i], &ignored, nullptr);
      ::sigaction(k_keys[i], &before_[i], nullptr);
    }
  }

 private:
  std::array<struct sigaction, k_keys.size()> before_{};
};

std::vector<char*> pointers_to(const std::vector<std::string>& texts) {
  std::vector<char*> pointers;
  pointers.reserve(texts.size() + 1);
  // execve takes them without const and changes nothing.
  for (const std::string& text : texts) pointers.push_back(const_cast<char*>(text.c_str()));
  pointers.push_back(nullptr);
  return pointers;
}

struct Plan {
  const char* directory;
  char* const* argv;
  char* const* environment;
  int input;   // becomes stdin; -1: stays as it is
  int report;  // takes errno; closes on exec
};

// In a fresh fork: nothing here may allocate.
[[noreturn]] void become(const Plan& plan) {
  const struct sigaction usual = action_of(SIG_DFL);
  for (const int signal : {SIGINT, SIGQUIT, SIGPIPE, SIGXFSZ}) {
    ::sigaction(signal, &usual, nullptr);
  }
  sigset_t none;
  sigemptyset(&none);
  ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
  const bool has_input = plan.input < 0 || ::dup2(plan.input, STDIN_FILENO) >= 0;
  if (has_input && ::chdir(plan.directory) == 0) {
    ::execve(plan.argv[0], plan.argv, plan.environment);
  }
  const int reason = errno;
  (void)!::write(plan.report, &reason, sizeof reason);
  ::_exit(127);
}

// 0 when the program runs.
int read_report(const Descriptor& report) {
  int reason = 0;
  ssize_t got = 0;
  do {
    got = ::read(report.get(), &reason, sizeof reason);
  } while (got < 0 && errno == EINTR);
  return got == static_cast<ssize_t>(sizeof reason) ? reason : 0;
}

ProcessEnd wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (WIFSIGNALED(status)) {
    return {.kind = ProcessEndKind::signalled, .signal = WTERMSIG(status)};
  }
  return {.kind = ProcessEndKind::exited, .exit_code = WEXITSTATUS(status)};
}

}  // namespace

Result<ProcessEnd> run_on_terminal(const TerminalProgram& program) {
  const std::string what = "cannot start " + program.argv[0];
  Descriptor input;
  if (program.input) {
    auto made = make_nameless_file(*program.input);
    if (!made.ok()) {
      return Error{.code = made.error().code, .message = what + ": " + made.error().message};
    }
    input = std::move(*made);
  }
  auto report = make_pipe();
  if (!report.ok()) {
    return Error{.code = report.error().code, .message = what + ": " + report.error().message};
  }
  const std::vector<char*> argv = pointers_to(program.argv);
  const std::vector<char*> environment = pointers_to(program.environment);
  const Plan plan{.directory = program.cwd.c_str(),
                  .argv = argv.data(),
                  .environment = environment.data(),
                  .input = input.get(),
                  .report = report->write_end.get()};
  const IgnoredKeys ignored;
  const pid_t child = ::fork();
  if (child < 0) return error_from_errno(what, errno);
  if (child == 0) become(plan);
  report->write_end.close();
  const int reason = read_report(report->read_end);
  const ProcessEnd end = wait_for(child);
  if (reason != 0) return error_from_errno(what, reason);
  return end;
}

}  // namespace yume::platform
