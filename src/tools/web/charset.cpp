// SPDX-License-Identifier: MIT
#include "tools/web/charset.h"

#include "tools/web/charset_labels.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>
#include <variant>

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

// What follows `name` and an equals sign, up to what ends a value of an attribute.
std::string value_after(std::string_view tag, std::string_view name) {
  for (std::size_t at = 0; (at = tag.find(name, at)) != std::string_view::npos; ++at) {
    std::string_view rest = tag.substr(at + name.size());
    rest.remove_prefix(std::min(rest.find_first_not_of(k_white), rest.size()));
    if (!rest.starts_with('=')) continue;
    rest = trim(rest.substr(1), "\"' \t\r\n");
    return std::string(rest.substr(0, rest.find_first_of("\"'; \t\r\n/?>")));
  }
  return {};
}

// What a page says about itself: `charset=NAME` inside the first <meta> that has one, or the
// encoding of an XML declaration. A page that can be searched for it in ASCII is not UTF-16,
// whatever it says.
std::string own_charset(std::string_view bytes) {
  const std::string head = lower(bytes.substr(0, k_meta_within));
  std::string charset;
  if (head.starts_with("<?xml")) {
    charset = value_after(std::string_view(head).substr(0, head.find('>')), "encoding");
  }
  for (std::size_t at = 0; charset.empty(); ++at) {
    at = head.find("<meta", at);
    if (at == std::string::npos) return {};
    charset = value_after(std::string_view(head).substr(at, head.find('>', at) - at), "charset");
  }
  return charset.starts_with("utf-16") ? "utf-8" : charset;
}

bool is_known(std::string_view label) {
  return !std::holds_alternative<UnknownEncoding>(encoding_of(label));
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
  std::string label = lower(header_charset);
  if (!is_known(label)) {
    if (std::string own = own_charset(bytes); label.empty() || is_known(own))
      label = std::move(own);
  }
  if (is_known(label)) return label;
  if (is_valid_utf8(bytes)) return "utf-8";
  return label.empty() ? "windows-1252" : label;
}

Result<std::string> to_utf8(std::string_view bytes, std::string_view charset) {
  const Encoding encoding = encoding_of(charset);
  const std::string_view mark = byte_order_mark(bytes);
  if (!mark.empty() && encoding_of(mark) == encoding) bytes.remove_prefix(mark == "utf-8" ? 3 : 2);
  if (const auto* unicode = std::get_if<Unicode>(&encoding)) {
    if (*unicode == Unicode::utf8) return to_valid_utf8(bytes);
    return from_utf16(bytes, /*big_endian=*/*unicode == Unicode::utf16be);
  }
  if (std::holds_alternative<Western>(encoding)) return from_windows_1252(bytes);
  const auto* other = std::get_if<platform::Charset>(&encoding);
  if (other == nullptr) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "its text is encoded as " + std::string(charset) +
                            ", which is no encoding that is known here"};
  }
  auto text = platform::decode_text(bytes, *other);
  if (text.ok()) return text;
  return Error{.code = ErrorCode::invalid_argument,
               .message = "its text is encoded as " + std::string(charset) + ", but " +
                          text.error().message};
}

}  // namespace yume::tools::web
