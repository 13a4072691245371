// SPDX-License-Identifier: MIT
#include "platform/signals.h"

#include <array>
#include <atomic>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include "platform/handle_win32.h"

namespace yume::platform {

namespace {

constexpr DWORD k_time_to_end_ms = 5'000;  // the system's own limit for a console that is closed

// Events of the console by their numbers, each at most once at a time. The handler has no argument,
// so what it fills belongs to the process.
std::atomic<unsigned> g_arrived{0};
std::atomic<HANDLE> g_something_arrived{nullptr};

// Ctrl-Break is what can be sent to a single program, so it means the same as Ctrl-C.
std::optional<Signal> signal_from(unsigned event) {
  switch (event) {
    case CTRL_C_EVENT:
    case CTRL_BREAK_EVENT:
      return Signal::interrupt;
    case CTRL_CLOSE_EVENT:
      return Signal::hangup;
    case CTRL_LOGOFF_EVENT:
    case CTRL_SHUTDOWN_EVENT:
      return Signal::terminate;
    default:
      return std::nullopt;
  }
}

// On a thread that the system makes.
BOOL WINAPI on_console_event(DWORD event) {
  if (!signal_from(event)) return FALSE;
  g_arrived.fetch_or(1U << event);
  if (const HANDLE arrived = g_something_arrived.load()) ::SetEvent(arrived);
  // When the handler of these returns, the process is ended.
  if (event != CTRL_C_EVENT && event != CTRL_BREAK_EVENT) ::Sleep(k_time_to_end_ms);
  return TRUE;
}

// Other processes of the user's session know it by our number.
std::wstring interrupt_name(DWORD pid) {
  return L"Local\\yume-cli-interrupt-" + std::to_wstring(pid);
}

class WindowsSignalPump final : public SignalPump {
 public:
  explicit WindowsSignalPump(std::function<void(Signal)> on_signal)
      : on_signal_(std::move(on_signal)),
        arrived_(::CreateEventW(nullptr, FALSE, FALSE, nullptr)),
        stop_(make_event()),
        interrupt_(::CreateEventW(nullptr, FALSE, FALSE,
                                  interrupt_name(::GetCurrentProcessId()).c_str())) {
    block_signals();
    g_something_arrived = arrived_.get();
    // What came before there was anybody to hand it to.
    if (g_arrived.load() != 0) ::SetEvent(arrived_.get());
    thread_ = std::thread([this] { pump(); });
  }

  // The handler stays: by now the program ends with a code of its own choice.
  ~WindowsSignalPump() override {
    g_something_arrived = nullptr;
    ::SetEvent(stop_.get());
    thread_.join();
  }
  WindowsSignalPump(const WindowsSignalPump&) = delete;
  WindowsSignalPump& operator=(const WindowsSignalPump&) = delete;

 private:
  void pump() const {
    const std::array<HANDLE, 3> any{stop_.get(), arrived_.get(), interrupt_.get()};
    const DWORD count = interrupt_.is_open() ? 3 : 2;
    for (;;) {
      const DWORD which = ::WaitForMultipleObjects(count, any.data(), FALSE, INFINITE);
      if (which == WAIT_OBJECT_0 + 1) {
        hand_on();
      } else if (which == WAIT_OBJECT_0 + 2) {
        on_signal_(Signal::interrupt);
      } else {
        return;
      }
    }
  }

  void hand_on() const {
    const unsigned arrived = g_arrived.exchange(0);
    for (unsigned event = 0; event < 32; ++event) {
      const auto signal = (arrived >> event & 1U) != 0 ? signal_from(event) : std::nullopt;
      if (signal) on_signal_(*signal);
    }
  }

  std::function<void(Signal)> on_signal_;
  Handle arrived_;
  Handle stop_;
  Handle interrupt_;
  std::thread thread_;
};

}  // namespace

bool interrupt_process(std::int64_t pid, const std::function<bool()>& is_meant) {
  if (pid <= 0) return false;
  const auto number = static_cast<DWORD>(pid);
  // Held open, so that the number stays its own.
  const Handle process(
      ::OpenProcess(PROCESS_QUERY_LIMITED_INFORMATION | SYNCHRONIZE, FALSE, number));
  const Handle interrupt(::OpenEventW(EVENT_MODIFY_STATE, FALSE, interrupt_name(number).c_str()));
  if (!process.is_open() || !interrupt.is_open() || !is_meant()) return false;
  return ::SetEvent(interrupt.get()) != 0;
}

void block_signals() {
  // A host that starts us in a group of our own has switched Ctrl-C off for us.
  ::SetConsoleCtrlHandler(nullptr, FALSE);
  ::SetConsoleCtrlHandler(on_console_event, FALSE);
  ::SetConsoleCtrlHandler(on_console_event, TRUE);
}

std::unique_ptr<SignalPump> start_signal_pump(std::function<void(Signal)> on_signal) {
  return std::make_unique<WindowsSignalPump>(std::move(on_signal));
}

}  // namespace yume::platform
