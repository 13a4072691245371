// SPDX-License-Identifier: MIT
// UTF-8 without tables: decoding with replacement, and cutting at character borders.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace yume {

struct DecodedCharacter {
  char32_t code_point = 0;  // U+FFFD for a byte sequence that is not UTF-8
  std::size_t length = 1;   // bytes consumed, at least 1
  bool valid = true;
};

// Decodes the character at `text[at]`; `at` must be inside. An invalid sequence consumes its
// maximal valid prefix, as browsers do, so the number of U+FFFD is the same everywhere.
DecodedCharacter decode_utf8(std::string_view text, std::size_t at);

void append_utf8(std::string& out, char32_t code_point);

bool is_valid_utf8(std::string_view text);

// `text` with every invalid sequence replaced by U+FFFD.
std::string to_valid_utf8(std::string_view text);

// What Windows and Java have their texts in. Half a surrogate pair, and what is not UTF-8, becomes
// U+FFFD.
std::string utf8_from_utf16(std::u16string_view units);
std::u16string utf16_from_utf8(std::string_view text);

// The longest prefix of at most `max_bytes` that does not cut a character.
std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes);
// The longest suffix of at most `max_bytes` that does not cut a character.
std::string_view utf8_suffix(std::string_view text, std::size_t max_bytes);

}  // namespace yume
