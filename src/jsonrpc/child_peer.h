// SPDX-License-Identifier: MIT
// A peer that is a child process, with the messages on its stdin and stdout. When it ends, whoever
// waits for an answer learns how, with the last line that it wrote to stderr.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>

#include "jsonrpc/peer.h"
#include "platform/duplex_process.h"
#include "util/result.h"

namespace yume::jsonrpc {

class ChildPeer {
 public:
  // Error when the program cannot be started. The handler is called on a thread of the peer's.
  static Result<std::unique_ptr<ChildPeer>> start(const platform::DuplexSpec& spec,
                                                  PeerOptions options, PeerHandler& handler);
  ChildPeer(const ChildPeer&) = delete;
  ChildPeer& operator=(const ChildPeer&) = delete;
  ~ChildPeer();  // kills the child; no call may be under way

  // Open as long as the child runs.
  Peer& peer() { return peer_; }

  // As platform::DuplexProcess::stop(). Whoever waits for an answer meanwhile can still get it.
  platform::ProcessEnd stop(std::chrono::milliseconds grace);

  std::string error_tail() const { return process_->error_tail(); }

 private:
  ChildPeer(std::unique_ptr<platform::DuplexProcess> process, PeerOptions options,
            PeerHandler& handler);

  void read();
  Result<void> send(std::string_view line);
  Error how_it_ended() const;

  std::string name_;
  PeerHandler& handler_;
  std::unique_ptr<platform::DuplexProcess> process_;
  std::atomic<std::thread::id> reader_id_;
  std::mutex mutex_;
  std::condition_variable ended_changed_;
  std::optional<Error> ended_;  // how
  Peer peer_;
  std::thread reader_;  // last: it uses all of the above
};

}  // namespace yume::jsonrpc
