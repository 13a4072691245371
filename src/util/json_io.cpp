// SPDX-License-Identifier: MIT
#include "util/json_io.h"

#include "util/json_dom.h"
#include "util/utf8.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace yume {
namespace {

constexpr std::array<char, 16> k_hex = {'0', '1', '2', '3', '4', '5', '6', '7',
                                        '8', '9', 'a', 'b', 'c', 'd', 'e', 'f'};

void append_escape(std::string& out, char32_t unit) {
  out += "\\u";
  for (unsigned shift = 12;; shift -= 4) {
    out.push_back(k_hex[(unit >> shift) & 0xFU]);
    if (shift == 0) break;
  }
}

void append_code_point(std::string& out, char32_t code_point) {
  if (code_point < 0x10000) {
    append_escape(out, code_point);
    return;
  }
  const char32_t offset = code_point - 0x10000;
  append_escape(out, 0xD800U + (offset >> 10U));
  append_escape(out, 0xDC00U + (offset & 0x3FFU));
}

void append_control(std::string& out, char c) {
  switch (c) {
    case '\b':
      out += "\\b";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      append_escape(out, static_cast<unsigned char>(c));
  }
}

// Printable ASCII that needs no escape inside a JSON string.
bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\';
}

// The first byte from `at` on that is not plain; eight at a time, as nearly all are.
std::size_t skip_plain(std::string_view text, std::size_t at) {
  constexpr std::uint64_t k_ones = 0x0101'0101'0101'0101U;
  constexpr std::uint64_t k_high = 0x80 * k_ones;
  const auto zero_bytes = [](std::uint64_t word) { return (word - k_ones) & ~word; };
  for (; at + sizeof(std::uint64_t) <= text.size(); at += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof word);
    // The high bit of some byte is set exactly when one of them is below 0x20, above 0x7E, a quote
    // or a backslash: a borrow or carry comes only out of a byte that is such a one itself.
    const std::uint64_t special = word | (word - 0x20 * k_ones) | (word + k_ones) |
                                  zero_bytes(word ^ ('"' * k_ones)) |
                                  zero_bytes(word ^ ('\\' * k_ones));
    if ((special & k_high) != 0) break;
  }
  while (at < text.size() && is_plain(text[at])) ++at;
  return at;
}

// Part of a number or of true, false, null.
bool is_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-' ||
         c == '+' || c == '.';
}

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// The value of `\uXXXX` at `at`, or -1 when there is none.
int unicode_escape_at(std::string_view text, std::size_t at) {
  if (at + 6 > text.size() || text[at] != '\\' || text[at + 1] != 'u') return -1;
  int value = 0;
  for (std::size_t i = at + 2; i < at + 6; ++i) {
    const int digit = hex_value(text[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

bool is_high_surrogate(int unit) {
  return unit >= 0xD800 && unit <= 0xDBFF;
}
bool is_low_surrogate(int unit) {
  return unit >= 0xDC00 && unit <= 0xDFFF;
}

// Copies the escape sequence at `at`, repairing a lone surrogate. Returns the bytes consumed.
std::size_t copy_escape(std::string& out, std::string_view raw, std::size_t at) {
  const int unit = unicode_escape_at(raw, at);
  if (unit < 0) {
    out.append(raw.substr(at, 2));
    return std::min<std::size_t>(2, raw.size() - at);
  }
  if (is_high_surrogate(unit) && is_low_surrogate(unicode_escape_at(raw, at + 6))) {
    out.append(raw.substr(at, 12));
    return 12;
  }
  if (is_high_surrogate(unit) || is_low_surrogate(unit)) {
    out += "\\ufffd";
    return 6;
  }
  out.append(raw.substr(at, 6));
  return 6;
}

// Bytes of the character or escape at `at` inside a string; a surrogate pair is one character.
std::size_t unit_length(std::string_view raw, std::size_t at) {
  if (raw[at] != '\\') return decode_utf8(raw, at).length;
  const int unit = unicode_escape_at(raw, at);
  if (unit < 0) return 2;
  return is_high_surrogate(unit) && is_low_surrogate(unicode_escape_at(raw, at + 6)) ? 12 : 6;
}

// Accepts every event and counts depth: nlohmann's parser keeps its own stack, so deep input costs
// memory, never the call stack.
class DepthGuard : public nlohmann::json_sax<nlohmann::json> {
 public:
  explicit DepthGuard(int max_depth) : max_depth_(max_depth) {}
  const std::string& problem() const { return problem_; }

  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(std::size_t) override { return enter(); }
  bool start_array(std::size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool end_array() override { return leave(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::json::exception&) override {
    problem_ = "not JSON at byte " + std::to_string(position);
    return false;
  }

 private:
  bool enter() {
    if (++depth_ <= max_depth_) return true;
    problem_ = "JSON nested deeper than " + std::to_string(max_depth_);
    return false;
  }
  bool leave() {
    --depth_;
    return true;
  }

  int max_depth_;
  int depth_ = 0;
  std::string problem_;
};

}  // namespace

void append_json_characters(std::string& out, std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t special = skip_plain(text, at);
    out.append(text.substr(at, special - at));
    at = special;
    if (at == text.size()) break;
    const char c = text[at];
    if (c == '"' || c == '\\') {
      out.push_back('\\');
      out.push_back(c);
      ++at;
    } else if (static_cast<unsigned char>(c) < 0x80) {
      append_control(out, c);
      ++at;
    } else {
      const DecodedCharacter character = decode_utf8(text, at);
      append_code_point(out, character.code_point);
      at += character.length;
    }
  }
}

void append_json_string(std::string& out, std::string_view text) {
  out.push_back('"');
  append_json_characters(out, text);
  out.push_back('"');
}

void append_ascii_json(std::string& out, std::string_view raw) {
  bool in_string = false;
  bool after_space = false;
  for (std::size_t at = 0; at < raw.size();) {
    const char c = raw[at];
    if (!in_string) {
      const bool space = c == ' ' || c == '\t' || c == '\n' || c == '\r';
      if (c == '"') in_string = true;
      // What is no JSON must not become some: `1 2` is not 12.
      if (after_space && is_word(c) && !out.empty() && is_word(out.back())) out.push_back(' ');
      if (!space) out.push_back(c);
      after_space = space;
      ++at;
    } else if (c == '\\') {
      at += copy_escape(out, raw, at);
    } else if (static_cast<unsigned char>(c) >= 0x80) {
      const DecodedCharacter character = decode_utf8(raw, at);
      append_code_point(out, character.code_point);
      at += character.length;
    } else if (const std::size_t special = skip_plain(raw, at); special > at) {
      out.append(raw.substr(at, special - at));
      at = special;
    } else {
      if (c == '"') in_string = false;
      if (c == '\x7F') {
        append_escape(out, 0x7F);
      } else {
        out.push_back(c);
      }
      ++at;
    }
  }
}

std::string_view json_prefix(std::string_view text, std::size_t max_bytes) {
  constexpr std::size_t k_quotes = 2;
  constexpr std::size_t k_longest_escape = 6;  // of one byte
  if (max_bytes >= k_quotes && text.size() <= (max_bytes - k_quotes) / k_longest_escape) {
    return text;
  }
  std::size_t used = k_quotes;
  std::string piece;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t special = skip_plain(text, at);
    if (used + (special - at) > max_bytes) {
      return text.substr(0, at + max_bytes - std::min(used, max_bytes));
    }
    used += special - at;
    at = special;
    if (at == text.size()) break;
    const std::size_t length = decode_utf8(text, at).length;
    piece.clear();
    append_json_string(piece, text.substr(at, length));
    const std::size_t cost = piece.size() - k_quotes;
    if (used + cost > max_bytes) return text.substr(0, at);
    used += cost;
    at += length;
  }
  return text;
}

std::string shorten_json_strings(std::string_view raw, std::size_t max_bytes) {
  std::string out;
  for (std::size_t at = 0; at < raw.size();) {
    if (raw[at] != '"') {
      out.push_back(raw[at++]);
      continue;
    }
    std::size_t end = at + 1;
    std::size_t cut = end;  // last border between characters or escapes inside the limit
    while (end < raw.size() && raw[end] != '"') {
      if (end - at <= max_bytes) cut = end;
      end += unit_length(raw, end);
    }
    end = std::min(end + 1, raw.size());
    const std::size_t after = std::min(raw.find_first_not_of(" \t\r\n", end), raw.size());
    const bool is_key = after < raw.size() && raw[after] == ':';
    if (is_key || end - at <= max_bytes + 2) {
      out.append(raw.substr(at, end - at));
    } else {
      out.append(raw.substr(at, cut - at));
      out += "... [" + std::to_string(end - cut - 1) + " bytes left out here]\"";
    }
    at = end;
  }
  return out;
}

Result<void> check_json(std::string_view raw, int max_depth) {
  if (json_dom::is_json(raw, max_depth)) return {};
  DepthGuard guard(max_depth);
  if (nlohmann::json::sax_parse(raw, &guard)) return {};
  return Error{.code = ErrorCode::protocol, .message = guard.problem()};
}

void JsonWriter::separate() {
  if (needs_comma_) out_.push_back(',');
  needs_comma_ = true;
}

JsonWriter& JsonWriter::begin_object() {
  separate();
  out_.push_back('{');
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_object() {
  out_.push_back('}');
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::begin_array() {
  separate();
  out_.push_back('[');
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::end_array() {
  out_.push_back(']');
  needs_comma_ = true;
  return *this;
}

JsonWriter& JsonWriter::key(std::string_view name) {
  separate();
  append_json_string(out_, name);
  out_.push_back(':');
  needs_comma_ = false;
  return *this;
}

JsonWriter& JsonWriter::string(std::string_view value) {
  separate();
  append_json_string(out_, value);
  return *this;
}

JsonWriter& JsonWriter::begin_string() {
  separate();
  out_.push_back('"');
  return *this;
}

JsonWriter& JsonWriter::end_string() {
  out_.push_back('"');
  return *this;
}

JsonWriter& JsonWriter::integer(std::int64_t value) {
  separate();
  std::array<char, 24> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
  out_.append(digits.data(), end);
  return *this;
}

JsonWriter& JsonWriter::number(double value) {
  separate();
  std::array<char, 40> digits{};
  // %.15g first: shortest for every price we print; 17 digits only when that loses something.
  int length = std::snprintf(digits.data(), digits.size(), "%.15g", value);
  if (std::strtod(digits.data(), nullptr) != value) {
    length = std::snprintf(digits.data(), digits.size(), "%.17g", value);
  }
  out_.append(digits.data(), static_cast<std::size_t>(length));
  return *this;
}

JsonWriter& JsonWriter::boolean(bool value) {
  separate();
  out_ += value ? "true" : "false";
  return *this;
}

JsonWriter& JsonWriter::null() {
  separate();
  out_ += "null";
  return *this;
}

JsonWriter& JsonWriter::raw(std::string_view json) {
  separate();
  append_ascii_json(out_, json);
  return *this;
}

}  // namespace yume
