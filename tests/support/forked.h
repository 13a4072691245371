// SPDX-License-Identifier: MIT
// Runs a piece of a test in a forked process: for what would damage the test's own process (signal
// masks, limits, closed streams, a kill). Call while the test has no other thread.
#pragma once

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <string>

namespace yume::test {

// Ends a forked piece that hangs, so that the test fails instead of waiting for ever.
inline constexpr unsigned k_forked_limit_seconds = 120;

class Forked {
 public:
  // `body` returns the exit code.
  template <class Body>
  explicit Forked(Body body) {
    std::fflush(nullptr);  // or the child might print it again (ThreadSanitizer's _exit does)
    pid_ = ::fork();
    if (pid_ != 0) return;
    ::signal(SIGALRM, SIG_DFL);
    ::alarm(k_forked_limit_seconds);
    ::_exit(body());
  }
  Forked(const Forked&) = delete;
  Forked& operator=(const Forked&) = delete;
  ~Forked() {
    if (pid_ > 0) {
      kill(SIGKILL);
      [[maybe_unused]] const int status = wait();
    }
  }

  pid_t pid() const { return pid_; }
  void kill(int signal) const { ::kill(pid_, signal); }

  // The exit code, or 1000 + signal.
  int wait() {
    int status = 0;
    while (::waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
    }
    pid_ = 0;
    constexpr int k_signal_base = 1000;
    return WIFEXITED(status) ? WEXITSTATUS(status) : k_signal_base + WTERMSIG(status);
  }

 private:
  pid_t pid_ = 0;
};

template <class Body>
int exit_code_of(Body body) {
  return Forked(body).wait();
}

}  // namespace yume::test
