// SPDX-License-Identifier: MIT
// The only thing that writes to stdout. Whole lines, one write each; nothing after the reader has
// gone. Main thread only.
#pragma once

#include <cstddef>
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

  // The reader closed the pipe or the device is full; everything since is dropped.
  [[nodiscard]] bool broken() const { return broken_; }

 private:
  platform::OutputStream& stream_;
  std::string buffer_;
  bool broken_ = false;
};

}  // namespace yume::protocol
