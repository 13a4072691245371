// SPDX-License-Identifier: MIT
// A listening TCP socket on 127.0.0.1, for servers of the benchmarks that look at more than HTTP,
// and for the contract of platform::LoopbackConnection.
#pragma once

#include <cstdint>
#include <memory>

#include "platform/loopback.h"
#include "util/result.h"

namespace yume::test {

class LoopbackListener {
 public:
  LoopbackListener(int socket, std::uint16_t port) : socket_(socket), port_(port) {}
  LoopbackListener(const LoopbackListener&) = delete;
  LoopbackListener& operator=(const LoopbackListener&) = delete;
  ~LoopbackListener();

  std::uint16_t port() const { return port_; }
  // Blocks. Error with code cancelled after close().
  Result<std::unique_ptr<platform::LoopbackConnection>> accept() const;
  // Wakes accept(), from any thread.
  void close() const;

 private:
  const int socket_;
  const std::uint16_t port_;
};

Result<std::unique_ptr<LoopbackListener>> listen_on_loopback();

}  // namespace yume::test
