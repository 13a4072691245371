// SPDX-License-Identifier: MIT
#include "platform/signals.h"

#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <optional>
#include <thread>
#include <utility>

#include "platform/descriptor_posix.h"

#if defined(__linux__)
#include <sys/syscall.h>
#endif

namespace yume::platform {

namespace {

std::optional<Signal> signal_from(int number) {
  switch (number) {
    case SIGINT:
      return Signal::interrupt;
    case SIGTERM:
      return Signal::terminate;
    case SIGHUP:
      return Signal::hangup;
    case SIGQUIT:
      return Signal::quit;
    case SIGWINCH:
      return Signal::resized;
    case SIGCONT:
      return Signal::continued;
    default:
      return std::nullopt;
  }
}

bool is_ignored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

sigset_t awaited_signals() {
  sigset_t set;
  sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGQUIT, SIGWINCH, SIGCONT}) sigaddset(&set, number);
  // Ignored at start means nohup, and a blocked signal would reach sigwait in spite of it.
  if (!is_ignored(SIGHUP)) sigaddset(&set, SIGHUP);
  return set;
}

class PosixSignalPump final : public SignalPump {
 public:
  explicit PosixSignalPump(std::function<void(Signal)> on_signal)
      : on_signal_(std::move(on_signal)), awaited_(awaited_signals()) {
    ::signal(SIGPIPE, SIG_IGN);
    pthread_sigmask(SIG_BLOCK, &awaited_, nullptr);
    thread_ = std::thread([this] { pump(); });
  }

  // The signals stay blocked: by now the program ends with a code of its own choice.
  ~PosixSignalPump() override {
    stopping_ = true;
    pthread_kill(thread_.native_handle(), SIGTERM);  // ends the sigwait; nobody else sees it
    thread_.join();
  }

 private:
  void pump() const {
    for (;;) {
      int number = 0;
      if (sigwait(&awaited_, &number) != 0) continue;
      if (stopping_) return;
      if (const auto signal = signal_from(number)) on_signal_(*signal);
    }
  }

  std::function<void(Signal)> on_signal_;
  sigset_t awaited_;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace

bool interrupt_process(std::int64_t pid, const std::function<bool()>& is_meant) {
  if (pid <= 1) return false;  // 0 and below would be whole groups
#if defined(__linux__)
  const Descriptor process(
      static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0U)));
  if (!process.is_open() || !is_meant()) return false;
  return ::syscall(SYS_pidfd_send_signal, process.get(), SIGINT, nullptr, 0U) == 0;
#else
  return is_meant() && ::kill(static_cast<pid_t>(pid), SIGINT) == 0;
#endif
}

void block_signals() {
  const sigset_t awaited = awaited_signals();
  pthread_sigmask(SIG_BLOCK, &awaited, nullptr);
}

std::unique_ptr<SignalPump> start_signal_pump(std::function<void(Signal)> on_signal) {
  return std::make_unique<PosixSignalPump>(std::move(on_signal));
}

}  // namespace yume::platform
