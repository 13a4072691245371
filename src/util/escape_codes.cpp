// SPDX-License-Identifier: MIT
#include "util/escape_codes.h"

#include "util/utf8.h"

#include <algorithm>
#include <array>

namespace yume {
namespace {

constexpr char k_escape = '\x1B';
constexpr char k_bell = '\x07';

struct Range {
  char32_t first;
  char32_t last;
};
// Soft hyphen, joiners, marks of direction, separators, fillers and tags.
constexpr std::array<Range, 9> k_not_shown = {{{0x00AD, 0x00AD},
                                               {0x061C, 0x061C},
                                               {0x115F, 0x1160},
                                               {0x180B, 0x180F},
                                               {0x200B, 0x200F},
                                               {0x2028, 0x202E},
                                               {0x2060, 0x206F},
                                               {0xFEFF, 0xFEFF},
                                               {0xE0000, 0xE007F}}};

bool within(char c, unsigned char first, unsigned char last) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= first && byte <= last;
}

// The bytes of a control sequence behind "ESC [": parameters, intermediates, one final byte. One
// that has no final byte ends where it stops being one, so that no text is taken for a part of it.
std::size_t control_length(std::string_view rest) {
  std::size_t at = 0;
  while (at < rest.size() && within(rest[at], 0x20, 0x3F)) ++at;
  return at < rest.size() && within(rest[at], 0x40, 0x7E) ? at + 1 : at;
}

// Behind "ESC ]" and its like: up to a bell or "ESC \". Without either it ends with its line.
std::size_t string_length(std::string_view rest) {
  for (std::size_t at = 0; at < rest.size(); ++at) {
    if (rest[at] == k_bell) return at + 1;
    if (rest[at] == '\n') return at;
    if (rest[at] == k_escape) return rest.substr(at + 1).starts_with('\\') ? at + 2 : at;
  }
  return rest.size();
}

// Of the sequence that begins with the escape at the front.
std::size_t sequence_length(std::string_view text) {
  if (text.size() < 2) return text.size();
  const std::string_view rest = text.substr(2);
  switch (text[1]) {
    case '[':
      return 2 + control_length(rest);
    case ']':
    case 'P':
    case 'X':
    case '^':
    case '_':
      return 2 + string_length(rest);
    default:
      break;
  }
  std::size_t at = 1;
  while (at < text.size() && within(text[at], 0x20, 0x2F)) ++at;  // intermediates: "ESC ( B"
  return at < text.size() && within(text[at], 0x30, 0x7E) ? at + 1 : at;
}

// C1 included, which is ESC [ in one piece; but not line feeds and tabs. Also what turns the
// direction of writing around, so that a line of code reads as another one.
bool is_obeyed(char32_t code) {
  return (code < 0x20 && code != '\n' && code != '\t') || (code >= 0x7F && code < 0xA0) ||
         (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
}

// "U+001B"
std::string name_of(char32_t code) {
  constexpr std::string_view k_digits = "0123456789ABCDEF";
  constexpr std::size_t k_fewest = 4;
  std::string digits;
  for (; code != 0 || digits.size() < k_fewest; code >>= 4U) digits += k_digits[code & 0xFU];
  return "U+" + std::string(digits.rbegin(), digits.rend());
}

}  // namespace

std::string without_escape_codes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t escape = std::min(text.find(k_escape), text.size());
    out.append(text.substr(0, escape));
    text.remove_prefix(escape);
    if (!text.empty()) text.remove_prefix(sequence_length(text));
  }
  return out;
}

std::string safe_for_terminal(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    if (!is_obeyed(character.code_point)) append_utf8(clean, character.code_point);
    at += character.length;
  }
  return clean;
}

std::string spelled_for_terminal(std::string_view text) {
  std::string clean;
  clean.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    const char32_t code = character.code_point;
    const bool hides = std::any_of(
        k_not_shown.begin(), k_not_shown.end(),
        [code](const Range& range) { return code >= range.first && code <= range.last; });
    if (hides || is_obeyed(code)) {
      clean += "<" + name_of(code) + ">";
    } else {
      append_utf8(clean, code);
    }
    at += character.length;
  }
  return clean;
}

}  // namespace yume
