// SPDX-License-Identifier: MIT
#include "protocol/line_stamps.h"

#include "util/iso_time.h"
#include "util/uuid.h"

#include <array>
#include <charconv>

namespace yume::protocol {

LineIds::LineIds(std::string_view kind)
    : text_(std::string(kind) + "_" + random_hex(16) + "-"), prefix_(text_.size()) {}

std::string_view LineIds::next() {
  std::array<char, 20> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), ++count_).ptr;
  text_.resize(prefix_);
  text_.append(digits.data(), end);
  return text_;
}

std::string_view TimeTexts::now() {
  constexpr std::size_t k_millisecond_digits = 3;
  const auto exact = std::chrono::floor<std::chrono::milliseconds>(clock_.wall_now());
  const auto second = std::chrono::floor<std::chrono::seconds>(exact);
  if (text_.empty() || second != second_) {
    second_ = second;
    text_ = iso_time(exact);
    return text_;
  }
  auto rest = static_cast<int>((exact - second).count());
  // Before the "Z" at the end.
  for (std::size_t i = 0; i < k_millisecond_digits; ++i) {
    text_[text_.size() - 2 - i] = static_cast<char>('0' + rest % 10);
    rest /= 10;
  }
  return text_;
}

}  // namespace yume::protocol
