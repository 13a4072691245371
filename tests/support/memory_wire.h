// SPDX-License-Identifier: MIT
// A pipe in memory from one end of a connection to the other: what is sent arrives on a thread of
// the pipe's, in pieces that keep no lines together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "util/thread.h"

namespace yume::test {

class MemoryWire {
 public:
  MemoryWire() = default;
  MemoryWire(const MemoryWire&) = delete;
  MemoryWire& operator=(const MemoryWire&) = delete;
  ~MemoryWire() { close(); }

  // Never blocks.
  void send(std::string_view bytes) {
    const std::lock_guard lock(mutex_);
    waiting_ += bytes;
    changed_.notify_one();
  }

  void deliver_to(std::function<void(std::string_view)> receive) {
    thread_ = Thread([this, receive = std::move(receive)](const CancelToken& stop) {
      // Sizes that do not repeat soon.
      for (std::size_t size = 1; auto bytes = take(stop); size = size % 97 + 7) {
        for (std::string_view rest = *bytes; !rest.empty();) {
          receive(rest.substr(0, size));
          rest.remove_prefix(std::min(size, rest.size()));
        }
      }
    });
  }

  // Nothing is delivered any more when this returns.
  void close() {
    thread_.request_stop();
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::optional<std::string> take(const CancelToken& stop) {
    std::unique_lock lock(mutex_);
    if (!changed_.wait(lock, stop, [this] { return !waiting_.empty(); })) return std::nullopt;
    return std::exchange(waiting_, {});
  }

  std::mutex mutex_;
  Condition changed_;
  std::string waiting_;
  Thread thread_;  // last: it uses all of the above
};

}  // namespace yume::test
