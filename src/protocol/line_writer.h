// SPDX-License-Identifier: MIT
// The only thing that writes to stdout. Whole lines, one write each; nothing after the reader has
// gone. Main thread only, but for who takes hold of it to write the last line of all.
#pragma once

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>

#include "platform/stdio.h"

namespace yume::protocol {

// The longest line a host can be trusted to read, its newline included.
inline constexpr std::size_t k_max_line_bytes = 1'000'000;

// Where emitters put what they have to say.
class Output {
 public:
  virtual ~Output() = default;
  virtual void line(std::string_view text) = 0;   // a newline is added
  virtual void bytes(std::string_view text) = 0;  // as it is
};

class LineWriter final : public Output {
 public:
  explicit LineWriter(platform::OutputStream& stream) : stream_(stream) {}

  void line(std::string_view text) override;
  void bytes(std::string_view text) override;

  // While one lives no other thread writes: what is written belongs together.
  class Hold {
   public:
    explicit Hold(LineWriter& writer) : lock_(writer.mutex_) {}

   private:
    std::lock_guard<std::recursive_timed_mutex> lock_;
  };
  // For who ends the process: nobody else writes any more. False when that takes too long, because
  // a line is being written that nobody reads.
  [[nodiscard]] bool hold_for(std::chrono::milliseconds longest) {
    return mutex_.try_lock_for(longest);
  }

  // The reader closed the pipe or the device is full; everything since is dropped.
  [[nodiscard]] bool broken() const { return broken_; }

 private:
  platform::OutputStream& stream_;
  std::recursive_timed_mutex mutex_;
  std::string buffer_;
  bool broken_ = false;
};

}  // namespace yume::protocol
