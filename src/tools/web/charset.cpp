// SPDX-License-Identifier: MIT
#include "tools/web/charset.h"

#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace yume::tools::web {
namespace {

constexpr std::string_view k_white = " \t\r\n\f";
constexpr std::size_t k_meta_within = 1024;  // browsers look no further either

std::string lower(std::string_view text) {
  std::string out(text);
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

std::string_view trim(std::string_view text, std::string_view unwanted) {
  const std::size_t first = text.find_first_not_of(unwanted);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(unwanted) - first + 1);
}

std::string_view byte_order_mark(std::string_view bytes) {
  if (bytes.starts_with("\xEF\xBB\xBF")) return "utf-8";
  if (bytes.starts_with("\xFF\xFE")) return "utf-16le";
  if (bytes.starts_with("\xFE\xFF")) return "utf-16be";
  return {};
}

// `charset=NAME` inside the first <meta> that has one. A page that can be searched for it in ASCII
// is not UTF-16, whatever it says.
std::string meta_charset(std::string_view bytes) {
  const std::string head = lower(bytes.substr(0, k_meta_within));
  for (std::size_t at = 0; (at = head.find("<meta", at)) != std::string::npos; ++at) {
    const std::string_view tag = std::string_view(head).substr(at, head.find('>', at) - at);
    const std::size_t name = tag.find("charset=");
    if (name == std::string_view::npos) continue;
    const std::string_view value = trim(tag.substr(name + 8), "\"' \t\r\n");
    std::string charset(value.substr(0, value.find_first_of("\"'; \t\r\n/>")));
    return charset.starts_with("utf-16") ? "utf-8" : charset;
  }
  return {};
}

// Windows-1252 where it differs from Latin-1: 0x80 to 0x9F.
constexpr std::array<std::uint16_t, 32> k_windows_1252 = {
    0x20AC, 0x0081, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
    0x2039, 0x0152, 0x008D, 0x017D, 0x008F, 0x0090, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022,
    0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x009D, 0x017E, 0x0178};

std::string from_windows_1252(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size() + bytes.size() / 8);
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    append_utf8(out, byte >= 0x80 && byte < 0xA0 ? k_windows_1252[byte - 0x80U] : byte);
  }
  return out;
}

std::string from_utf16(std::string_view bytes, bool big_endian) {
  std::string out;
  const auto unit = [&](std::size_t at) -> char32_t {
    const auto first = static_cast<unsigned char>(bytes[at]);
    const auto second = static_cast<unsigned char>(bytes[at + 1]);
    return big_endian ? first * 256U + second : second * 256U + first;
  };
  for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
    char32_t point = unit(at);
    const bool high = point >= 0xD800 && point < 0xDC00;
    const char32_t next = high && at + 3 < bytes.size() ? unit(at + 2) : 0;
    if (high && next >= 0xDC00 && next < 0xE000) {
      point = 0x10000 + ((point - 0xD800) << 10U) + (next - 0xDC00);
      at += 2;
    } else if (point >= 0xD800 && point < 0xE000) {
      point = 0xFFFD;
    }
    append_utf8(out, point);
  }
  if (bytes.size() % 2 != 0) append_utf8(out, 0xFFFD);
  return out;
}

// What browsers mean by a label.
std::string_view encoding_of(std::string_view label) {
  constexpr std::array k_utf8 = {"utf-8", "utf8", "unicode-1-1-utf-8"};
  constexpr std::array k_latin = {"windows-1252", "cp1252",  "x-cp1252", "iso-8859-1", "iso8859-1",
                                  "latin1",       "latin-1", "l1",       "us-ascii",   "ascii"};
  const auto is = [label](const char* name) { return label == name; };
  if (std::any_of(k_utf8.begin(), k_utf8.end(), is)) return "utf-8";
  if (std::any_of(k_latin.begin(), k_latin.end(), is)) return "windows-1252";
  if (label == "utf-16" || label == "utf-16le" || label == "unicode") return "utf-16le";
  return label;
}

}  // namespace

ContentType read_content_type(std::string_view header) {
  ContentType type;
  type.mime = lower(trim(header.substr(0, header.find(';')), k_white));
  const std::string parameters = lower(header.substr(std::min(header.find(';'), header.size())));
  const std::size_t name = parameters.find("charset=");
  if (name == std::string::npos) return type;
  const std::string_view value = std::string_view(parameters).substr(name + 8);
  type.charset = trim(value.substr(0, value.find(';')), "\"' \t");
  return type;
}

std::string detect_charset(std::string_view bytes, std::string_view header_charset) {
  if (const std::string_view mark = byte_order_mark(bytes); !mark.empty()) return std::string(mark);
  if (!header_charset.empty()) return lower(header_charset);
  if (std::string meta = meta_charset(bytes); !meta.empty()) return meta;
  return is_valid_utf8(bytes) ? "utf-8" : "windows-1252";
}

Result<std::string> to_utf8(std::string_view bytes, std::string_view charset) {
  const std::string_view encoding = encoding_of(charset);
  const std::string_view mark = byte_order_mark(bytes);
  if (!mark.empty() && mark == encoding) bytes.remove_prefix(mark == "utf-8" ? 3 : 2);
  if (encoding == "utf-8") return to_valid_utf8(bytes);
  if (encoding == "windows-1252") return from_windows_1252(bytes);
  if (encoding == "utf-16le") return from_utf16(bytes, /*big_endian=*/false);
  if (encoding == "utf-16be") return from_utf16(bytes, /*big_endian=*/true);
  return Error{.code = ErrorCode::invalid_argument,
               .message = "its text is encoded as " + std::string(charset) +
                          ", which cannot be read; only UTF-8, UTF-16 and windows-1252 can"};
}

}  // namespace yume::tools::web
