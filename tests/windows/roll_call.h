// SPDX-License-Identifier: MIT
// Hidden processes tell their ids here (the actor's `report`), and a handle to each, taken while it
// surely lives, tells when it is dead.
#pragma once

#include <windows.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <vector>

#include "platform/handle_win32.h"

namespace yume::test {

class RollCall {
 public:
  RollCall() {
    static int counter = 0;
    const std::string number =
        std::to_string(::GetCurrentProcessId()) + "-" + std::to_string(++counter);
    name_ = R"(\\.\pipe\yume-test-)" + number;
    gate_name_ = "yume-test-gate-" + number;
    gate_ = platform::Handle(::CreateEventA(nullptr, TRUE, FALSE, gate_name_.c_str()));
    step_ = platform::Handle(::CreateEventA(nullptr, TRUE, FALSE, nullptr));
    pipe_ = platform::Handle(
        ::CreateNamedPipeA(name_.c_str(), PIPE_ACCESS_DUPLEX | FILE_FLAG_OVERLAPPED,
                           PIPE_TYPE_MESSAGE | PIPE_READMODE_MESSAGE, 1, 64, 64, 0, nullptr));
  }

  const std::string& name() const { return name_; }

  // An event that the actor's `wait` waits for.
  const std::string& gate_name() const { return gate_name_; }
  void open_gate() const { ::SetEvent(gate_.get()); }

  // Blocks until so many have reported. False when one does not come.
  bool wait_for(int count) {
    for (; count > 0; --count) {
      if (!take_report()) return false;
    }
    return true;
  }

  std::size_t reported() const { return present_.size(); }

  std::size_t count_living(
      std::chrono::milliseconds patience = std::chrono::milliseconds(0)) const {
    const auto end = std::chrono::steady_clock::now() + patience;
    return static_cast<std::size_t>(
        std::count_if(present_.begin(), present_.end(), [end](const platform::Handle& process) {
          const auto left =
              std::chrono::ceil<std::chrono::milliseconds>(end - std::chrono::steady_clock::now());
          const auto time = std::max<std::chrono::milliseconds::rep>(left.count(), 0);
          return !process.is_open() ||
                 ::WaitForSingleObject(process.get(), static_cast<DWORD>(time)) != WAIT_OBJECT_0;
        }));
  }

 private:
  bool take_report() {
    DWORD pid = 0;
    DWORD done = 0;
    const bool came =
        finish([&](OVERLAPPED* step) { return ::ConnectNamedPipe(pipe_.get(), step); }) &&
        finish([&](OVERLAPPED* step) {
          return ::ReadFile(pipe_.get(), &pid, sizeof pid, nullptr, step);
        });
    if (!came) return false;
    present_.emplace_back(::OpenProcess(SYNCHRONIZE, FALSE, pid));
    // The actor goes on when it has the answer, so its handle is ours before it can end.
    finish([&](OVERLAPPED* step) { return ::WriteFile(pipe_.get(), "k", 1, nullptr, step); });
    // Its closing of the pipe: nothing of the answer is lost by our disconnecting.
    finish([&](OVERLAPPED* step) { return ::ReadFile(pipe_.get(), &done, 1, nullptr, step); });
    ::DisconnectNamedPipe(pipe_.get());
    return true;
  }

  // One overlapped operation, with a limit, so that a test fails instead of waiting for ever.
  template <class Begin>
  bool finish(Begin begin) {
    constexpr DWORD k_limit = 20'000;
    OVERLAPPED step{};
    step.hEvent = step_.get();
    if (!begin(&step)) {
      const DWORD error = ::GetLastError();
      if (error == ERROR_PIPE_CONNECTED) return true;
      if (error != ERROR_IO_PENDING) return false;
    }
    if (::WaitForSingleObject(step_.get(), k_limit) != WAIT_OBJECT_0) {
      ::CancelIoEx(pipe_.get(), &step);
    }
    DWORD count = 0;
    return ::GetOverlappedResult(pipe_.get(), &step, &count, TRUE);
  }

  std::string name_;
  std::string gate_name_;
  platform::Handle gate_;
  platform::Handle step_;
  platform::Handle pipe_;
  std::vector<platform::Handle> present_;
};

}  // namespace yume::test
