// SPDX-License-Identifier: MIT
// One TCP connection on 127.0.0.1, for the scripted server of src/demo. The agent itself never
// listens. Blocking calls; close() from another thread wakes them.
#pragma once

#include <cstddef>
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

// Takes an accepted socket over, also when it fails.
Result<std::unique_ptr<LoopbackConnection>> adopt_connection(int socket);

// Wakes the thread that accepts from it, for which accept() then fails.
void stop_listening(int socket);

}  // namespace yume::platform
