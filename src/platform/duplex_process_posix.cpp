// SPDX-License-Identifier: MIT
#include <poll.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <thread>
#include <utility>

#include "platform/descriptor_posix.h"
#include "platform/duplex_buffers.h"
#include "platform/supervised_command_posix.h"

namespace yume::platform {
namespace {

// Our ends.
struct DuplexStreams {
  Descriptor input;
  Descriptor output;
  Descriptor error_output;
};

class PosixDuplexProcess final : public BufferedDuplexProcess {
 public:
  PosixDuplexProcess(const DuplexSpec& spec, SupervisedCommand command, DuplexStreams streams)
      : BufferedDuplexProcess(spec),
        command_(std::move(command)),
        input_(std::move(streams.input)),
        output_(std::move(streams.output), &ProcessOutput::on_output),
        error_output_(std::move(streams.error_output), &ProcessOutput::on_error_output) {}

  ~PosixDuplexProcess() override {
    send_kill();
    if (thread_.joinable()) thread_.join();
  }

  Result<void> begin(const std::string& what) {
    if (!waker_.usable()) return error_from_errno(what, EMFILE);
    // No signal is the pump's business; SIGPIPE, which a write may raise on it, goes with it.
    const AllSignalsBlocked blocked;
    try {
      thread_ = std::thread([this] { pump(); });
    } catch (const std::system_error& failure) {
      return error_from_errno(what, failure.code().value());
    }
    return {};
  }

 private:
  void wake_pump() override { waker_.raise(); }
  void send_terminate() override { command_.order(SupervisorOrder::terminate); }
  void send_kill() override { command_.order(SupervisorOrder::kill); }

  void pump() {
    while (!is_over_) {
      // Before looking at what there is to do: whatever comes later raises it again.
      waker_.lower();
      refill();
      const int input = pending_.empty() ? -1 : input_.get();
      const int output = has_room() ? output_.fd() : -1;
      std::array<pollfd, 5> events{{{waker_.fd(), POLLIN, 0},
                                    {command_.status_fd(), POLLIN, 0},
                                    {output, POLLIN, 0},
                                    {error_output_.fd(), POLLIN, 0},
                                    {input, POLLOUT, 0}}};
      if (::poll(events.data(), events.size(), -1) <= 0) continue;
      if (events[2].revents != 0) read_output();
      if (events[3].revents != 0) error_output_.pump(*this);
      if (events[4].revents != 0) write_input();
      if (events[1].revents != 0) take_status();
    }
  }

  void refill() {
    if (!input_.is_open() || !pending_.empty()) return;
    Input more = take_input();
    pending_ = std::move(more.bytes);
    written_ = 0;
    if (pending_.empty() && more.is_over) input_.close();
  }

  void write_input() {
    const ssize_t count =
        ::write(input_.get(), pending_.data() + written_, pending_.size() - written_);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (count < 0) {
      input_.close();
      pending_.clear();
      input_failed();
      return;
    }
    written_ += static_cast<std::size_t>(count);
    if (written_ == pending_.size()) pending_.clear();
    input_written(static_cast<std::size_t>(count));
  }

  void read_output() {
    output_.pump(*this);
    if (output_.fd() < 0) output_ended();
  }

  void take_status() {
    const auto status = command_.take_status();
    if (!status) return;
    output_.drain(*this);
    error_output_.drain(*this);
    input_.close();
    is_over_ = true;
    // It has been started, so there is an end.
    child_ended(status->end.ok() ? *status->end : ProcessEnd{.kind = ProcessEndKind::cancelled});
  }

  SupervisedCommand command_;
  Waker waker_;
  // The pump's.
  Descriptor input_;  // closed: nothing more goes to the child
  OutputPump output_;
  OutputPump error_output_;
  std::string pending_;  // taken, and written up to written_
  std::size_t written_ = 0;
  bool is_over_ = false;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace

Result<std::unique_ptr<DuplexProcess>> start_duplex_process(const DuplexSpec& spec) {
  const ProcessSpec command{
      .argv = spec.argv, .cwd = spec.cwd, .environment = spec.environment, .sandbox = spec.sandbox};
  if (const auto checked = check_command(command); !checked) return checked.error();
  const std::string what = "cannot start " + spec.argv[0];
  YUME_TRY(Pipe input, make_input_pipe(what));
  YUME_TRY(Pipe output, make_output_pipe(what));
  YUME_TRY(Pipe errors, make_output_pipe(what));
  const auto sandboxes = make_sandbox_maker();
  YUME_TRY(SupervisedCommand started,
           SupervisedCommand::start(command,
                                    {.input = input.read_end.get(),
                                     .output = output.write_end.get(),
                                     .error_output = errors.write_end.get()},
                                    StartReport::wanted, *sandboxes));
  // Ours would keep the child's writes from failing, and its output from ending.
  input.read_end.close();
  output.write_end.close();
  errors.write_end.close();
  auto process = std::make_unique<PosixDuplexProcess>(
      spec, std::move(started),
      DuplexStreams{.input = std::move(input.write_end),
                    .output = std::move(output.read_end),
                    .error_output = std::move(errors.read_end)});
  if (const auto begun = process->begin(what); !begun) return begun.error();
  return std::unique_ptr<DuplexProcess>(std::move(process));
}

}  // namespace yume::platform
