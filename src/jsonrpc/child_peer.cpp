// SPDX-License-Identifier: MIT
#include "jsonrpc/child_peer.h"

#include <array>
#include <system_error>
#include <utility>

namespace yume::jsonrpc {
namespace {

// A child that has closed its stdout cannot answer any more. It gets this long to end by itself.
constexpr std::chrono::milliseconds k_silent_grace{2000};
// Closing its input, TERM and KILL take no longer.
constexpr std::chrono::milliseconds k_longest_end{5000};

std::string last_line(std::string text) {
  text.erase(text.find_last_not_of(" \t\r\n") + 1);
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace

Result<std::unique_ptr<ChildPeer>> ChildPeer::start(const platform::DuplexSpec& spec,
                                                    PeerOptions options, PeerHandler& handler) {
  YUME_TRY(auto process, platform::start_duplex_process(spec));
  const std::string name = options.name;
  std::unique_ptr<ChildPeer> child(new ChildPeer(std::move(process), std::move(options), handler));
  try {
    child->reader_ = std::thread([made = child.get()] { made->read(); });
  } catch (const std::system_error& failure) {
    return Error{.code = ErrorCode::io,
                 .message = "cannot start a thread for " + name + ": " + failure.what()};
  }
  return child;
}

ChildPeer::ChildPeer(std::unique_ptr<platform::DuplexProcess> process, PeerOptions options,
                     PeerHandler& handler)
    : name_(options.name),
      handler_(handler),
      process_(std::move(process)),
      peer_(
          std::move(options), [this](std::string_view line) { return send(line); }, handler) {}

ChildPeer::~ChildPeer() {
  stop(std::chrono::milliseconds(0));
  if (reader_.joinable()) reader_.join();
}

platform::ProcessEnd ChildPeer::stop(std::chrono::milliseconds grace) {
  return process_->stop(grace);
}

// A child that takes nothing more has ended, or is about to: how it ended is the better reason.
Result<void> ChildPeer::send(std::string_view line) {
  auto sent = process_->post(line);
  const bool refused = !sent.ok() && sent.error().code == ErrorCode::io;
  // The reader is the one who learns of the end.
  if (!refused || std::this_thread::get_id() == reader_id_) return sent;
  std::unique_lock lock(mutex_);
  ended_changed_.wait_for(lock, k_longest_end, [this] { return ended_.has_value(); });
  return ended_ ? Result<void>(*ended_) : sent;
}

void ChildPeer::read() {
  reader_id_ = std::this_thread::get_id();
  std::array<char, std::size_t{64} * 1024> buffer;
  for (;;) {
    const auto got = process_->read(buffer, CancelToken());
    if (!got.ok() || *got == 0) break;
    peer_.receive({buffer.data(), *got});
    if (peer_.why_closed()) break;  // nobody is interested in the rest
  }
  peer_.finish();
  const Error end = how_it_ended();
  {
    const std::lock_guard lock(mutex_);
    ended_ = end;
  }
  ended_changed_.notify_all();
  peer_.close(end);
  handler_.on_closed(peer_.why_closed().value_or(end));
}

Error ChildPeer::how_it_ended() const {
  const platform::ProcessEnd end = process_->stop(k_silent_grace);
  std::string message = name_;
  if (end.kind == platform::ProcessEndKind::exited) {
    message += " ended with exit code " + platform::exit_code_text(end.exit_code);
  } else if (end.kind == platform::ProcessEndKind::signalled) {
    message += " was killed by " + platform::signal_name(end.signal);
  } else {
    message += " was stopped";
  }
  const std::string words = last_line(process_->error_tail());
  if (!words.empty()) message += ": " + words;
  return {.code = ErrorCode::io, .message = std::move(message)};
}

}  // namespace yume::jsonrpc
