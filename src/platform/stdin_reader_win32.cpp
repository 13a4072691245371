// SPDX-License-Identifier: MIT
#include "platform/stdin_reader_win32.h"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

namespace yume::platform {
namespace {

constexpr std::size_t k_block = 64U << 10U;

bool is_end(DWORD reason) {
  return reason == ERROR_BROKEN_PIPE || reason == ERROR_HANDLE_EOF || reason == ERROR_NO_DATA;
}

class StdinReader {
 public:
  Result<std::size_t> read(std::span<char> buffer, const CancelToken& cancel) {
    std::unique_lock lock(mutex_);
    if (rest_.empty()) ask();
    const bool answered = changed_.wait(lock, cancel, [this] { return !asked_; });
    if (!answered || (rest_.empty() && cancel.stop_requested())) {
      return Error{.code = ErrorCode::cancelled, .message = "reading stdin was cancelled"};
    }
    if (rest_.empty() && failure_ != ERROR_SUCCESS) {
      return Error{.code = ErrorCode::io,
                   .message = "cannot read stdin: " + describe_windows_error(failure_)};
    }
    const std::size_t taken = std::min(buffer.size(), rest_.size());
    std::copy_n(rest_.data(), taken, buffer.data());
    rest_.remove_prefix(taken);
    return taken;
  }

 private:
  // With mutex_ held.
  void ask() {
    if (asked_) return;
    asked_ = true;
    // Never joined: it may stand in a read that nothing ends. The object is never destroyed.
    if (!started_) std::thread([this] { serve(); }).detach();
    started_ = true;
    changed_.notify_all();
  }

  void serve() {
    std::unique_lock lock(mutex_);
    for (;;) {
      changed_.wait(lock, [this] { return asked_; });
      lock.unlock();
      DWORD got = 0;
      const bool done = ::ReadFile(::GetStdHandle(STD_INPUT_HANDLE), block_.data(),
                                   static_cast<DWORD>(block_.size()), &got, nullptr) != 0;
      const DWORD reason = done ? ERROR_SUCCESS : ::GetLastError();
      lock.lock();
      rest_ = std::string_view(block_.data(), got);
      failure_ = is_end(reason) ? ERROR_SUCCESS : reason;
      asked_ = false;
      changed_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable_any changed_;
  std::array<char, k_block> block_{};
  std::string_view rest_;
  DWORD failure_ = ERROR_SUCCESS;
  bool asked_ = false;
  bool started_ = false;
};

}  // namespace

Result<std::size_t> read_stdin(std::span<char> buffer, const CancelToken& cancel) {
  // Kept for as long as its thread may run, which is as long as the process.
  static auto* const reader = new StdinReader;
  return reader->read(buffer, cancel);
}

}  // namespace yume::platform
