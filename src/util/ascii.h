// SPDX-License-Identifier: MIT
// Letters without regard to language: for names that are ASCII by their definition.
#pragma once

#include <string>
#include <string_view>

namespace yume {

inline std::string ascii_upper(std::string_view text) {
  std::string upper(text);
  for (char& c : upper) c = c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return upper;
}

inline std::string ascii_lower(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return lower;
}

}  // namespace yume
