// SPDX-License-Identifier: MIT
// What a person meant to type: without blanks at both ends, and without the codes of keys that the
// terminal's line editor does not know (arrows, pasted text). Pure.
#pragma once

#include <string>
#include <string_view>

#include "util/escape_codes.h"

namespace yume::protocol {

inline std::string typed_words(std::string_view line) {
  constexpr std::string_view k_blanks = " \t\r";
  const std::string clean = safe_for_terminal(without_escape_codes(line));
  const std::size_t first = clean.find_first_not_of(k_blanks);
  if (first == std::string::npos) return {};
  return clean.substr(first, clean.find_last_not_of(k_blanks) - first + 1);
}

}  // namespace yume::protocol
