// SPDX-License-Identifier: MIT
#include <array>
#include <system_error>
#include <thread>
#include <utility>

#include "platform/child_win32.h"
#include "platform/duplex_buffers.h"
#include "platform/handle_win32.h"
#include "platform/pipe_win32.h"
#include "platform/watched_child_win32.h"

namespace yume::platform {
namespace {

// Our ends.
struct DuplexStreams {
  Handle input;
  Handle output;
  Handle error_output;
};

class WindowsDuplexProcess final : public BufferedDuplexProcess {
 public:
  WindowsDuplexProcess(const DuplexSpec& spec, Child child, DuplexStreams streams)
      : BufferedDuplexProcess(spec),
        child_(std::move(child)),
        wake_(make_event()),
        input_(std::move(streams.input)),
        output_(std::move(streams.output), &ProcessOutput::on_output),
        error_output_(std::move(streams.error_output), &ProcessOutput::on_error_output) {}

  ~WindowsDuplexProcess() override {
    child_.stop();
    if (thread_.joinable()) thread_.join();
  }

  // False when the system has no thread or no event left.
  bool begin() {
    if (!wake_.is_open() || !input_.usable() || !output_.usable() || !error_output_.usable() ||
        !child_.begin(std::nullopt)) {
      return false;
    }
    try {
      thread_ = std::thread([this] { pump(); });
    } catch (const std::system_error&) {
      return false;
    }
    return true;
  }

 private:
  void wake_pump() override { ::SetEvent(wake_.get()); }
  void send_terminate() override { child_.stop(); }
  void send_kill() override { child_.stop(); }

  void pump() {
    for (;;) {
      // Before looking at what there is to do: whatever comes later raises it again.
      ::ResetEvent(wake_.get());
      write_input();
      wait_for_news(has_room());
      if (is_raised(child_.gone())) break;
    }
    output_.drain(*this);
    error_output_.drain(*this);
    input_.close();
    child_ended(child_.end());
  }

  void wait_for_news(bool room) {
    std::array<HANDLE, 5> events{child_.gone().get(), wake_.get()};
    DWORD count = 2;
    if (input_.is_busy()) events[count++] = input_.event().get();
    for (PipeReader* reader : {&output_, &error_output_}) {
      if (reader == &output_ && !room) continue;
      reader->begin_read();
      if (reader->is_open()) events[count++] = reader->event().get();
    }
    if (!output_.is_open()) output_ended();
    ::WaitForMultipleObjects(count, events.data(), FALSE, INFINITE);
    if (room) output_.take(*this);
    error_output_.take(*this);
  }

  void write_input() {
    if (!input_.is_open()) return;
    const std::size_t written = input_.take();
    written_ += written;
    if (written > 0) input_written(written);
    if (input_.is_open() && !input_.is_busy()) write_more();
    if (!input_.is_open() && !closed_by_us_) input_failed();
  }

  void write_more() {
    if (written_ == pending_.size()) {
      Input more = take_input();
      pending_ = std::move(more.bytes);
      written_ = 0;
      closed_by_us_ = pending_.empty() && more.is_over;
    }
    if (closed_by_us_) input_.close();
    if (!pending_.empty()) input_.begin_write(std::string_view(pending_).substr(written_));
  }

  WatchedChild child_;
  Handle wake_;
  // The pump's.
  std::string pending_;  // taken, and written up to written_; outlives a write that is under way
  std::size_t written_ = 0;
  bool closed_by_us_ = false;
  PipeWriter input_;
  PipeReader output_;
  PipeReader error_output_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace

Result<std::unique_ptr<DuplexProcess>> start_duplex_process(const DuplexSpec& spec) {
  const ProcessSpec command{
      .argv = spec.argv, .cwd = spec.cwd, .environment = spec.environment, .sandbox = spec.sandbox};
  if (const auto checked = check_child(command); !checked) return checked.error();
  const std::string what = "cannot start " + spec.argv[0];
  YUME_TRY(ChildPipe input, make_input_pipe(what));
  YUME_TRY(ChildPipe output, make_output_pipe(what));
  YUME_TRY(ChildPipe errors, make_output_pipe(what));
  YUME_TRY(Child child, start_child(command, {.input = input.theirs.get(),
                                              .output = output.theirs.get(),
                                              .error_output = errors.theirs.get()}));
  // Ours would keep the child's reads and writes from ending.
  input.theirs.close();
  output.theirs.close();
  errors.theirs.close();
  auto process =
      std::make_unique<WindowsDuplexProcess>(spec, std::move(child),
                                             DuplexStreams{.input = std::move(input.ours),
                                                           .output = std::move(output.ours),
                                                           .error_output = std::move(errors.ours)});
  if (!process->begin()) return error_from_windows(what, ERROR_NOT_ENOUGH_MEMORY);
  return std::unique_ptr<DuplexProcess>(std::move(process));
}

}  // namespace yume::platform
