// SPDX-License-Identifier: MIT
// A listening TCP socket on 127.0.0.1 and its connections, for the scripted server of src/demo.
// The agent itself never listens. Blocking calls; close() from another thread wakes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "util/result.h"

namespace yume::platform {

class LoopbackConnection {
 public:
  virtual ~LoopbackConnection() = default;
  virtual Result<std::size_t> read(std::span<char> buffer) = 0;  // 0 at end
  virtual Result<void> write(std::string_view bytes) = 0;
  virtual void reset() = 0;  // closes with RST instead of FIN
  virtual void close() = 0;  // wakes a blocked read
};

class LoopbackListener {
 public:
  virtual ~LoopbackListener() = default;
  virtual std::uint16_t port() const = 0;
  // Error with code cancelled after close().
  virtual Result<std::unique_ptr<LoopbackConnection>> accept() = 0;
  virtual void close() = 0;
};

Result<std::unique_ptr<LoopbackListener>> listen_on_loopback();

}  // namespace yume::platform
