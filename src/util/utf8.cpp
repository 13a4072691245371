// SPDX-License-Identifier: MIT
#include "util/utf8.h"

#include <cstdint>
#include <cstring>

namespace yume {
namespace {

constexpr char32_t k_replacement = 0xFFFD;

bool is_continuation(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

struct LeadByte {
  std::size_t length;         // whole sequence, 0 for a byte that cannot lead
  unsigned char second_low;   // permitted range of the second byte: excludes overlong forms,
  unsigned char second_high;  // surrogates and code points above U+10FFFF
};

LeadByte classify(unsigned char lead) {
  if (lead < 0x80) return {1, 0, 0};
  if (lead < 0xC2) return {0, 0, 0};
  if (lead < 0xE0) return {2, 0x80, 0xBF};
  if (lead == 0xE0) return {3, 0xA0, 0xBF};
  if (lead == 0xED) return {3, 0x80, 0x9F};
  if (lead < 0xF0) return {3, 0x80, 0xBF};
  if (lead == 0xF0) return {4, 0x90, 0xBF};
  if (lead < 0xF4) return {4, 0x80, 0xBF};
  if (lead == 0xF4) return {4, 0x80, 0x8F};
  return {0, 0, 0};
}

// The first byte from `at` on that is not ASCII, or the end. Most texts are nothing else.
std::size_t skip_ascii(std::string_view text, std::size_t at) {
  constexpr std::uint64_t k_high_bits = 0x8080808080808080U;
  for (std::uint64_t word = 0; at + sizeof word <= text.size(); at += sizeof word) {
    std::memcpy(&word, text.data() + at, sizeof word);
    if ((word & k_high_bits) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

DecodedCharacter decode_utf8(std::string_view text, std::size_t at) {
  const auto lead = static_cast<unsigned char>(text[at]);
  const LeadByte form = classify(lead);
  if (form.length == 1) return {lead, 1, true};
  if (form.length == 0) return {k_replacement, 1, false};

  char32_t code_point = lead & (0x7FU >> form.length);
  for (std::size_t i = 1; i < form.length; ++i) {
    if (at + i >= text.size()) return {k_replacement, i, false};
    const auto byte = static_cast<unsigned char>(text[at + i]);
    const bool fits = i == 1 ? byte >= form.second_low && byte <= form.second_high
                             : is_continuation(text[at + i]);
    if (!fits) return {k_replacement, i, false};
    code_point = (code_point << 6U) | (byte & 0x3FU);
  }
  return {code_point, form.length, true};
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto byte = [&out](char32_t value) { out.push_back(static_cast<char>(value)); };
  if (code_point < 0x80) {
    byte(code_point);
  } else if (code_point < 0x800) {
    byte(0xC0U | (code_point >> 6U));
    byte(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    byte(0xE0U | (code_point >> 12U));
    byte(0x80U | ((code_point >> 6U) & 0x3FU));
    byte(0x80U | (code_point & 0x3FU));
  } else {
    byte(0xF0U | (code_point >> 18U));
    byte(0x80U | ((code_point >> 12U) & 0x3FU));
    byte(0x80U | ((code_point >> 6U) & 0x3FU));
    byte(0x80U | (code_point & 0x3FU));
  }
}

bool is_valid_utf8(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    if (static_cast<unsigned char>(text[at]) < 0x80) {
      at = skip_ascii(text, at);
      continue;
    }
    const DecodedCharacter character = decode_utf8(text, at);
    if (!character.valid) return false;
    at += character.length;
  }
  return true;
}

std::string to_valid_utf8(std::string_view text) {
  if (is_valid_utf8(text)) return std::string(text);
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    if (character.valid) {
      out.append(text.substr(at, character.length));
    } else {
      append_utf8(out, k_replacement);
    }
    at += character.length;
  }
  return out;
}

std::string utf8_from_utf16(std::u16string_view units) {
  const auto is_high = [](char16_t unit) { return unit >= 0xD800 && unit < 0xDC00; };
  const auto is_low = [](char16_t unit) { return unit >= 0xDC00 && unit < 0xE000; };
  std::string out;
  out.reserve(units.size());
  for (std::size_t at = 0; at < units.size(); ++at) {
    const char16_t unit = units[at];
    if (is_high(unit) && at + 1 < units.size() && is_low(units[at + 1])) {
      const auto low = static_cast<char32_t>(units[++at]);
      append_utf8(out, 0x10000 + ((static_cast<char32_t>(unit) - 0xD800) << 10U) + (low - 0xDC00));
    } else {
      append_utf8(out, is_high(unit) || is_low(unit) ? k_replacement : static_cast<char32_t>(unit));
    }
  }
  return out;
}

std::u16string utf16_from_utf8(std::string_view text) {
  std::u16string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    at += character.length;
    if (character.code_point < 0x10000) {
      out.push_back(static_cast<char16_t>(character.code_point));
      continue;
    }
    const char32_t offset = character.code_point - 0x10000;
    out.push_back(static_cast<char16_t>(0xD800U + (offset >> 10U)));
    out.push_back(static_cast<char16_t>(0xDC00U + (offset & 0x3FFU)));
  }
  return out;
}

std::string_view utf8_prefix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t end = max_bytes;
  // A character has at most three continuation bytes; further back it is not UTF-8 anyway.
  for (int step = 0; step < 3 && end > 0 && is_continuation(text[end]); ++step) --end;
  return text.substr(0, end);
}

std::string_view utf8_suffix(std::string_view text, std::size_t max_bytes) {
  if (text.size() <= max_bytes) return text;
  std::size_t begin = text.size() - max_bytes;
  for (int step = 0; step < 3 && begin < text.size() && is_continuation(text[begin]); ++step) {
    ++begin;
  }
  return text.substr(begin);
}

}  // namespace yume
