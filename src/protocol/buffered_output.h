// SPDX-License-Identifier: MIT
// Collects lines and hands over many at once, for who has to write far more of them than a system
// call for each would allow. Nothing is kept back once flush() is called.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "protocol/line_writer.h"

namespace yume::protocol {

class BufferedOutput final : public Output {
 public:
  // `output` outlives this.
  explicit BufferedOutput(Output& output) : output_(output) { text_.reserve(2 * k_enough); }

  void line(std::string_view text) override {
    text_.append(text).push_back('\n');
    if (text_.size() >= k_enough) flush();
  }
  void bytes(std::string_view text) override {
    text_.append(text);
    if (text_.size() >= k_enough) flush();
  }
  void flush() {
    if (text_.empty()) return;
    output_.bytes(text_);
    text_.clear();
  }

 private:
  static constexpr std::size_t k_enough = 256U << 10U;

  Output& output_;
  std::string text_;
};

}  // namespace yume::protocol
