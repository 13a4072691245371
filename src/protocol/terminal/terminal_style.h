// SPDX-License-Identifier: MIT
// Escape codes for what is shown to the person at a terminal, where they are wanted.
#pragma once

#include <string>
#include <string_view>

namespace yume::protocol {

enum class EscapeCodes { unwanted, wanted };

inline constexpr std::string_view k_bold = "\x1b[1m";
inline constexpr std::string_view k_dim = "\x1b[2m";
inline constexpr std::string_view k_red = "\x1b[31m";
inline constexpr std::string_view k_green = "\x1b[32m";

// `text` is safe for a terminal already.
inline std::string styled(std::string_view style, std::string_view text, EscapeCodes codes) {
  if (codes == EscapeCodes::unwanted) return std::string(text);
  return std::string(style).append(text).append("\x1b[0m");
}

}  // namespace yume::protocol
