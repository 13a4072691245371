// SPDX-License-Identifier: MIT
// Counts for people: 1048576 is "1,048,576".
#pragma once

#include <cstdint>
#include <string>

namespace yume {

inline std::string grouped(std::int64_t count) {
  constexpr std::size_t k_group = 3;
  std::string digits = std::to_string(count);
  const std::size_t sign = count < 0 ? 1 : 0;
  for (std::size_t at = digits.size(); at > k_group + sign; at -= k_group) {
    digits.insert(at - k_group, ",");
  }
  return digits;
}

}  // namespace yume
