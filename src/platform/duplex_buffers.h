// SPDX-License-Identifier: MIT
// Between those who talk to a child and the thread that moves the bytes: bounded buffers, waits
// that can be cancelled, and the order in which a child is stopped. The systems' implementations
// add only the thread, called pump here. Private to src/platform.
#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "platform/duplex_process.h"
#include "util/thread.h"

namespace yume::platform {

class BufferedDuplexProcess : public DuplexProcess, protected ProcessOutput {
 public:
  Result<void> write(std::string_view bytes, const CancelToken& cancel) final;
  Result<void> post(std::string_view bytes) final;
  void close_stdin() final;
  Result<std::size_t> read(std::span<char> buffer, const CancelToken& cancel) final;
  Result<ProcessEnd> wait(const CancelToken& cancel) final;
  ProcessEnd stop(std::chrono::milliseconds grace) final;
  std::string error_tail() const final;

 protected:
  explicit BufferedDuplexProcess(const DuplexSpec& spec);

  // Any thread, never block. A wake-up that comes while the pump works is not lost.
  virtual void wake_pump() = 0;
  virtual void send_terminate() = 0;
  virtual void send_kill() = 0;

  // What follows is called by the pump alone.

  struct Input {
    std::string bytes;     // to be written now; empty: nothing to do
    bool is_over = false;  // nothing comes behind the bytes
  };
  Input take_input();
  void input_written(std::size_t count);  // of what was taken
  void input_failed();                    // the child does not read any more

  // False: do not read stdout before the next wake-up.
  bool has_room();
  void on_output(std::string_view bytes) final;
  void on_error_output(std::string_view bytes) final;
  void output_ended();
  // After all output; the pump's last call.
  void child_ended(const ProcessEnd& end);

 private:
  bool can_take(std::size_t size, std::size_t limit) const;
  void take(std::unique_lock<std::mutex> lock, std::string_view bytes);
  Result<void> check_input() const;
  std::optional<ProcessEnd> wait_for(std::chrono::milliseconds time);

  const std::string name_;
  const std::function<void(std::string_view)> on_error_output_;

  mutable std::mutex mutex_;
  Condition changed_;
  std::string input_;          // not yet taken by the pump
  std::size_t unwritten_ = 0;  // with what the pump has taken
  bool input_closed_ = false;  // by us
  bool input_failed_ = false;  // by the child
  std::string output_;
  std::size_t output_read_ = 0;  // so much of output_ has been read
  bool output_paused_ = false;
  bool output_ended_ = false;
  std::string error_tail_;
  bool error_tail_is_cut_ = false;
  std::optional<ProcessEnd> end_;
};

}  // namespace yume::platform
