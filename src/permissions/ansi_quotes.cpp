// SPDX-License-Identifier: MIT
#include "permissions/ansi_quotes.h"

#include "util/utf8.h"

#include <cstdint>
#include <optional>

namespace yume::permissions {
namespace {

std::optional<unsigned> digit_value(char c, unsigned base) {
  unsigned value = 99;
  if (c >= '0' && c <= '9') value = static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') value = static_cast<unsigned>(c - 'a') + 10;
  if (c >= 'A' && c <= 'F') value = static_cast<unsigned>(c - 'A') + 10;
  if (value >= base) return std::nullopt;
  return value;
}

struct Number {
  std::uint32_t value = 0;
  std::size_t digits = 0;
};

Number read_number(std::string_view text, unsigned base, std::size_t most) {
  Number number;
  while (number.digits < most && number.digits < text.size()) {
    const auto digit = digit_value(text[number.digits], base);
    if (!digit) break;
    number.value = number.value * base + *digit;
    ++number.digits;
  }
  return number;
}

std::optional<char> simple_escape(char c) {
  switch (c) {
    case 'a':
      return '\a';
    case 'b':
      return '\b';
    case 'e':
    case 'E':
      return '\x1b';
    case 'f':
      return '\f';
    case 'n':
      return '\n';
    case 'r':
      return '\r';
    case 't':
      return '\t';
    case 'v':
      return '\v';
    case '\\':
    case '\'':
    case '"':
    case '?':
      return c;
    default:
      return std::nullopt;
  }
}

// `text` begins behind the backslash; returns how many bytes belong to the escape.
std::size_t decode_escape(std::string_view text, std::string& out) {
  const char c = text.front();
  if (const auto simple = simple_escape(c)) {
    out.push_back(*simple);
    return 1;
  }
  if (c >= '0' && c <= '7') {
    const Number number = read_number(text, 8, 3);
    out.push_back(static_cast<char>(number.value & 0xffU));
    return number.digits;
  }
  if (c == 'x' || c == 'u' || c == 'U') {
    const Number number = read_number(text.substr(1), 16, c == 'x' ? 2 : c == 'u' ? 4 : 8);
    if (number.digits > 0) {
      if (c == 'x') {
        out.push_back(static_cast<char>(number.value));
      } else {
        append_utf8(out, number.value);
      }
      return 1 + number.digits;
    }
  }
  if (c == 'c' && text.size() > 1) {
    out.push_back(static_cast<char>(static_cast<unsigned char>(text[1]) & 0x1fU));
    return 2;
  }
  out.push_back('\\');
  out.push_back(c);
  return 1;
}

}  // namespace

std::size_t decode_ansi_quotes(std::string_view text, std::string& out) {
  std::size_t at = 0;
  while (at < text.size() && text[at] != '\'') {
    if (text[at] == '\\' && at + 1 < text.size()) {
      ++at;
      at += decode_escape(text.substr(at), out);
    } else {
      out.push_back(text[at++]);
    }
  }
  return at < text.size() ? at + 1 : at;
}

}  // namespace yume::permissions
