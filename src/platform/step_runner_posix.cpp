// SPDX-License-Identifier: MIT
#include "platform/step_runner_posix.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace yume::platform {
namespace {

constexpr int k_not_found = 127;
constexpr int k_not_executable = 126;
constexpr int k_signalled = 128;

void complain(const char* name, const char* what) {
  for (const char* text : {name, what}) {
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text, std::strlen(text));
  }
}

void redirect(const StepPlan& step) {
  if (step.errors_to_output) ::dup2(STDOUT_FILENO, STDERR_FILENO);
  if (!step.drops_output && !step.drops_errors) return;
  const int null = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (null < 0) return;
  if (step.drops_output) ::dup2(null, STDOUT_FILENO);
  if (step.drops_errors) ::dup2(null, STDERR_FILENO);
}

// On the small stack that clone() was given, which AddressSanitizer does not know and would report.
#define YUME_ON_OWN_STACK [[gnu::no_sanitize_address]]

YUME_ON_OWN_STACK [[noreturn]] void become(const StepPlan& step, char* const* environment) {
  redirect(step);
  if (step.argv == nullptr) {
    complain(step.name, ": command not found\n");
    ::_exit(k_not_found);
  }
  ::execve(step.argv[0], step.argv, environment);
  complain(step.name, errno == ENOENT ? ": command not found\n" : ": cannot be run\n");
  ::_exit(errno == ENOENT ? k_not_found : k_not_executable);
}

int exit_code_of(int status) {
  return WIFSIGNALED(status) ? k_signalled + WTERMSIG(status) : WEXITSTATUS(status);
}

int go_to(const StepPlan& step) {
  if (::chdir(step.directory) == 0) return 0;
  complain("cd: ", step.directory);
  complain(": ", errno == ENOENT ? "No such file or directory\n" : "cannot go there\n");
  return 1;
}

// All of them at once; the exit code is the last one's.
YUME_ON_OWN_STACK int run_pipeline(std::span<const StepPlan> steps, char* const* environment) {
  int input = -1;  // what the step before printed
  pid_t last = -1;
  std::size_t started = 0;
  for (std::size_t i = 0; i < steps.size(); ++i) {
    std::array<int, 2> ends{-1, -1};
    const bool pipes = i + 1 < steps.size();
    if (pipes && ::pipe(ends.data()) != 0) break;
    last = ::fork();
    if (last == 0) {
      if (input >= 0) ::dup2(input, STDIN_FILENO);
      if (pipes) ::dup2(ends[1], STDOUT_FILENO);
      for (const int fd : {input, ends[0], ends[1]}) {
        if (fd > STDERR_FILENO) ::close(fd);
      }
      become(steps[i], environment);
    }
    if (input >= 0) ::close(input);
    if (pipes) ::close(ends[1]);
    input = ends[0];
    if (last < 0) break;
    ++started;
  }
  if (input >= 0) ::close(input);
  int code = k_not_executable;  // when not all could be started
  for (std::size_t i = 0; i < started;) {
    int status = 0;
    const pid_t pid = ::waitpid(-1, &status, 0);
    if (pid < 0 && errno != EINTR) break;
    if (pid < 0) continue;
    ++i;
    if (pid == last) code = exit_code_of(status);
  }
  return code;
}

}  // namespace

int run_steps(std::span<const StepPlan> steps, char* const* environment) {
  int code = 0;
  for (std::size_t at = 0; at < steps.size();) {
    std::size_t end = at + 1;
    while (end < steps.size() && steps[end].joint == StepJoint::pipe) ++end;
    const StepJoint joint = steps[at].joint;
    const bool skipped =
        (joint == StepJoint::and_then && code != 0) || (joint == StepJoint::or_else && code == 0);
    if (!skipped) {
      code = steps[at].directory != nullptr
                 ? go_to(steps[at])
                 : run_pipeline(steps.subspan(at, end - at), environment);
    }
    at = end;
  }
  return code;
}

}  // namespace yume::platform
