// SPDX-License-Identifier: MIT
#include "tools/text_encoding.h"

#include "util/utf8.h"

#include <algorithm>

namespace yume::tools {
namespace {

constexpr char32_t k_replacement = 0xFFFD;
constexpr char16_t k_mark = 0xFEFF;

bool is_lead(char16_t unit) {
  return unit >= 0xD800 && unit < 0xDC00;
}
bool is_trail(char16_t unit) {
  return unit >= 0xDC00 && unit < 0xE000;
}

}  // namespace

Encoding encoding_of(std::string_view beginning) {
  constexpr std::size_t k_looked_at = 8192;
  beginning = beginning.substr(0, k_looked_at);
  const bool utf32 = beginning.starts_with(std::string_view("\xFF\xFE\0\0", 4));
  if (beginning.starts_with("\xFF\xFE") && !utf32) return Encoding::utf16_le;
  if (beginning.starts_with("\xFE\xFF")) return Encoding::utf16_be;
  return beginning.find('\0') == std::string_view::npos ? Encoding::utf8 : Encoding::binary;
}

void Utf16Decoder::feed(std::string_view bytes, std::string& out) {
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (half_ < 0) {
      half_ = byte;
      continue;
    }
    const int high = big_endian_ ? half_ : byte;
    const int low = big_endian_ ? byte : half_;
    half_ = -1;
    unit(static_cast<char16_t>((high << 8) | low), out);
  }
}

void Utf16Decoder::unit(char16_t unit, std::string& out) {
  if (!begun_) {
    begun_ = true;
    if (unit == k_mark) return;
  }
  if (lead_ != 0) {
    const char16_t lead = lead_;
    lead_ = 0;
    if (is_trail(unit)) {
      append_utf8(out, 0x10000U + ((lead - 0xD800U) << 10U) + (unit - 0xDC00U));
      return;
    }
    append_utf8(out, k_replacement);
  }
  if (is_lead(unit)) {
    lead_ = unit;
  } else {
    append_utf8(out, is_trail(unit) ? k_replacement : char32_t(unit));
  }
}

void Utf16Decoder::finish(std::string& out) {
  if (lead_ != 0 || half_ >= 0) append_utf8(out, k_replacement);
  lead_ = 0;
  half_ = -1;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace yume::tools
