// SPDX-License-Identifier: MIT
// A file name from text that somebody else chose.
#pragma once

#include <string>
#include <string_view>

namespace yume {

// At most 64 letters, digits, '-' and '_'; what is none of these becomes '_'.
inline std::string plain_name(std::string_view text) {
  constexpr std::size_t k_longest = 64;
  std::string name(text.substr(0, k_longest));
  for (char& c : name) {
    const bool fine = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                      c == '-' || c == '_';
    if (!fine) c = '_';
  }
  return name;
}

}  // namespace yume
