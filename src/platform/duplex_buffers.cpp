// SPDX-License-Identifier: MIT
#include "platform/duplex_buffers.h"

#include <algorithm>
#include <utility>

#include "util/byte_size.h"

namespace yume::platform {
namespace {

// What may wait for a child that does not read. One message alone may be larger.
constexpr std::size_t k_input_limit = 1024 * 1024;
constexpr std::size_t k_post_limit = 64 * k_input_limit;
constexpr std::size_t k_output_limit = 1024 * 1024;
constexpr std::size_t k_error_tail = 16 * 1024;

std::string describe(const ProcessEnd& end) {
  switch (end.kind) {
    case ProcessEndKind::exited:
      return "it has ended with exit code " + exit_code_text(end.exit_code);
    case ProcessEndKind::signalled:
      return "it was killed by " + signal_name(end.signal);
    case ProcessEndKind::timed_out:
    case ProcessEndKind::cancelled:
      break;
  }
  return "it has been stopped";
}

Error cancelled(std::string message) {
  return {.code = ErrorCode::cancelled, .message = std::move(message)};
}

}  // namespace

BufferedDuplexProcess::BufferedDuplexProcess(const DuplexSpec& spec)
    : name_(spec.argv[0]), on_error_output_(spec.on_error_output) {}

Result<void> BufferedDuplexProcess::check_input() const {
  const auto refuse = [this](const std::string& why) {
    return Error{.code = ErrorCode::io, .message = "cannot write to " + name_ + ": " + why};
  };
  if (end_) return refuse(describe(*end_));
  if (input_failed_) return refuse("it has closed its input");
  if (input_closed_) return refuse("its input is closed");
  return {};
}

bool BufferedDuplexProcess::can_take(std::size_t size, std::size_t limit) const {
  return unwritten_ == 0 || (unwritten_ < limit && size <= limit - unwritten_);
}

void BufferedDuplexProcess::take(std::unique_lock<std::mutex> lock, std::string_view bytes) {
  input_.append(bytes);
  unwritten_ += bytes.size();
  lock.unlock();
  wake_pump();
}

Result<void> BufferedDuplexProcess::write(std::string_view bytes, const CancelToken& cancel) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, cancel,
                [&] { return !check_input().ok() || can_take(bytes.size(), k_input_limit); });
  if (const auto checked = check_input(); !checked) return checked.error();
  if (cancel.stop_requested()) {
    return cancelled("cancelled before " + name_ + " took its input");
  }
  take(std::move(lock), bytes);
  return {};
}

Result<void> BufferedDuplexProcess::post(std::string_view bytes) {
  std::unique_lock lock(mutex_);
  if (const auto checked = check_input(); !checked) return checked.error();
  if (!can_take(bytes.size(), k_post_limit)) {
    return Error{.code = ErrorCode::busy,
                 .message = "cannot write to " + name_ + ": it has not read " +
                            byte_size_text(unwritten_) + " that were written before"};
  }
  take(std::move(lock), bytes);
  return {};
}

void BufferedDuplexProcess::close_stdin() {
  {
    const std::lock_guard lock(mutex_);
    input_closed_ = true;
  }
  changed_.notify_all();
  wake_pump();
}

Result<std::size_t> BufferedDuplexProcess::read(std::span<char> buffer, const CancelToken& cancel) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, cancel, [&] { return output_read_ < output_.size() || output_ended_; });
  if (cancel.stop_requested()) return cancelled("cancelled while " + name_ + " was being read");
  const std::size_t count = std::min(buffer.size(), output_.size() - output_read_);
  std::copy_n(output_.data() + output_read_, count, buffer.data());
  output_read_ += count;
  if (output_read_ >= output_.size() / 2) output_.erase(0, std::exchange(output_read_, 0));
  const bool has_room_again = output_paused_ && output_.size() < k_output_limit;
  if (has_room_again) output_paused_ = false;
  lock.unlock();
  if (has_room_again) wake_pump();
  return count;
}

Result<ProcessEnd> BufferedDuplexProcess::wait(const CancelToken& cancel) {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, cancel, [&] { return end_.has_value(); });
  if (end_) return *end_;
  return cancelled("cancelled before " + name_ + " ended");
}

std::optional<ProcessEnd> BufferedDuplexProcess::wait_for(std::chrono::milliseconds time) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, time, [&] { return end_.has_value(); });
  return end_;
}

ProcessEnd BufferedDuplexProcess::stop(std::chrono::milliseconds grace) {
  close_stdin();
  if (const auto end = wait_for(grace)) return *end;
  send_terminate();
  if (const auto end = wait_for(grace)) return *end;
  send_kill();
  return *wait(CancelToken());
}

std::string BufferedDuplexProcess::error_tail() const {
  const std::lock_guard lock(mutex_);
  const std::size_t start =
      error_tail_.size() > k_error_tail ? error_tail_.size() - k_error_tail : 0;
  std::string tail = error_tail_.substr(start);
  if (start > 0 || error_tail_is_cut_) tail.erase(0, tail.find('\n') + 1);
  return tail;
}

BufferedDuplexProcess::Input BufferedDuplexProcess::take_input() {
  const std::lock_guard lock(mutex_);
  return {.bytes = std::exchange(input_, {}), .is_over = input_closed_};
}

void BufferedDuplexProcess::input_written(std::size_t count) {
  {
    const std::lock_guard lock(mutex_);
    unwritten_ -= std::min(count, unwritten_);
  }
  changed_.notify_all();
}

void BufferedDuplexProcess::input_failed() {
  {
    const std::lock_guard lock(mutex_);
    input_failed_ = true;
    input_.clear();
    unwritten_ = 0;
  }
  changed_.notify_all();
}

bool BufferedDuplexProcess::has_room() {
  const std::lock_guard lock(mutex_);
  output_paused_ = output_.size() - output_read_ >= k_output_limit;
  return !output_paused_;
}

void BufferedDuplexProcess::on_output(std::string_view bytes) {
  {
    const std::lock_guard lock(mutex_);
    output_.append(bytes);
  }
  changed_.notify_all();
}

void BufferedDuplexProcess::on_error_output(std::string_view bytes) {
  if (on_error_output_) on_error_output_(bytes);
  const std::lock_guard lock(mutex_);
  error_tail_.append(bytes);
  // Cut only now and then: what is kept is moved each time.
  if (error_tail_.size() <= 4 * k_error_tail) return;
  error_tail_.erase(0, error_tail_.size() - k_error_tail);
  error_tail_is_cut_ = true;
}

void BufferedDuplexProcess::output_ended() {
  {
    const std::lock_guard lock(mutex_);
    if (std::exchange(output_ended_, true)) return;
  }
  changed_.notify_all();
}

void BufferedDuplexProcess::child_ended(const ProcessEnd& end) {
  {
    const std::lock_guard lock(mutex_);
    output_ended_ = true;
    end_ = end;
    input_.clear();
    unwritten_ = 0;
  }
  changed_.notify_all();
}

}  // namespace yume::platform
