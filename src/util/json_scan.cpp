// SPDX-License-Identifier: MIT
#include "util/json_scan.h"

#include <algorithm>

namespace yume {
namespace {

constexpr std::size_t k_longest_scalar = 1024;

bool is_white(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool is_hex(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

bool continues_scalar(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || c == 'E' || c == '+' || c == '-' || c == '.';
}

std::size_t digits_from(std::string_view text, std::size_t at) {
  const std::size_t from = at;
  while (at < text.size() && is_digit(text[at])) ++at;
  return at - from;
}

bool is_number(std::string_view text) {
  std::size_t at = text.starts_with('-') ? 1 : 0;
  const std::size_t whole = digits_from(text, at);
  if (whole == 0 || (whole > 1 && text[at] == '0')) return false;
  at += whole;
  if (at < text.size() && text[at] == '.') {
    const std::size_t fraction = digits_from(text, ++at);
    if (fraction == 0) return false;
    at += fraction;
  }
  if (at < text.size() && (text[at] == 'e' || text[at] == 'E')) {
    ++at;
    if (at < text.size() && (text[at] == '+' || text[at] == '-')) ++at;
    const std::size_t exponent = digits_from(text, at);
    if (exponent == 0) return false;
    at += exponent;
  }
  return at == text.size();
}

}  // namespace

void JsonScanner::restart(std::uint64_t start) {
  at_ = start;
  expects_ = Expects::value;
  token_ = Token::none;
  failed_ = false;
  too_long_ = false;
  text_.clear();
  containers_.clear();
}

void JsonScanner::feed(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size() && !failed_;) {
    const char c = bytes[i];
    switch (token_) {
      case Token::none:
        between(c);
        break;
      case Token::string: {
        const std::size_t next = in_string(bytes, i);
        at_ += next - i;
        i = next;
        continue;
      }
      case Token::escape:
      case Token::unicode:
        in_escape(c);
        break;
      case Token::scalar:
        if (!continues_scalar(c)) {
          end_scalar();
          continue;  // this byte ended it, and means something itself
        }
        text_.push_back(c);
        if (text_.size() > k_longest_scalar) fail();
        break;
    }
    ++i;
    ++at_;
  }
}

bool JsonScanner::finish() {
  if (!failed_ && token_ == Token::scalar) end_scalar();
  return !failed_ && token_ == Token::none && expects_ == Expects::nothing;
}

void JsonScanner::between(char c) {
  if (is_white(c)) return;
  switch (expects_) {
    case Expects::value_or_end:
      if (c == ']') return close(JsonContainer::array);
      return begin_value(c);
    case Expects::value:
      return begin_value(c);
    case Expects::key_or_end:
      if (c == '}') return close(JsonContainer::object);
      [[fallthrough]];
    case Expects::key:
      if (c != '"') return fail();
      is_key_ = true;
      token_ = Token::string;
      return;
    case Expects::colon:
      if (c != ':') return fail();
      expects_ = Expects::value;
      return;
    case Expects::comma_or_end:
      if (c == ',') return after_comma();
      if (c == '}') return close(JsonContainer::object);
      if (c == ']') return close(JsonContainer::array);
      return fail();
    case Expects::nothing:
      return fail();
  }
}

void JsonScanner::after_comma() {
  expects_ = containers_.back() == JsonContainer::object ? Expects::key : Expects::value;
}

void JsonScanner::begin_value(char c) {
  if (c == '{') return open(JsonContainer::object);
  if (c == '[') return open(JsonContainer::array);
  if (c == '"') {
    is_key_ = false;
    token_ = Token::string;
    return;
  }
  if (!continues_scalar(c)) return fail();
  token_ = Token::scalar;
  text_.push_back(c);
}

void JsonScanner::open(JsonContainer container) {
  if (containers_.size() >= limits_.max_depth) return fail();
  handler_.on_begin(container, at_);
  containers_.push_back(container);
  expects_ = container == JsonContainer::object ? Expects::key_or_end : Expects::value_or_end;
}

void JsonScanner::close(JsonContainer container) {
  if (containers_.empty() || containers_.back() != container) return fail();
  containers_.pop_back();
  handler_.on_end(at_ + 1);
  value_done();
}

std::size_t JsonScanner::in_string(std::string_view bytes, std::size_t from) {
  std::size_t to = from;
  while (to < bytes.size() && bytes[to] != '"' && bytes[to] != '\\' &&
         static_cast<unsigned char>(bytes[to]) >= 0x20U) {
    ++to;
  }
  if (keeps_text() && !too_long_ && to > from) {
    text_.append(bytes.substr(from, std::min(to - from, limits_.longest_text + 1)));
    too_long_ = text_.size() > limits_.longest_text;
  }
  if (to == bytes.size()) return to;
  if (bytes[to] == '"') {
    end_string();
  } else if (bytes[to] == '\\') {
    keep('\\');
    token_ = Token::escape;
  } else {
    fail();
  }
  return to + 1;
}

void JsonScanner::keep(char c) {
  if (!keeps_text() || too_long_) return;
  text_.push_back(c);
  too_long_ = text_.size() > limits_.longest_text;
}

void JsonScanner::in_escape(char c) {
  keep(c);
  if (token_ == Token::escape) {
    constexpr std::string_view k_escapes = "\"\\/bfnrt";
    if (c == 'u') {
      token_ = Token::unicode;
      hex_digits_ = 4;
    } else if (k_escapes.find(c) != std::string_view::npos) {
      token_ = Token::string;
    } else {
      fail();
    }
    return;
  }
  if (!is_hex(c)) return fail();
  if (--hex_digits_ == 0) token_ = Token::string;
}

void JsonScanner::end_string() {
  token_ = Token::none;
  if (too_long_) text_.clear();
  too_long_ = false;
  if (is_key_) {
    handler_.on_key(text_);
    expects_ = Expects::colon;
  } else {
    handler_.on_string(text_);
    value_done();
  }
  text_.clear();
}

void JsonScanner::end_scalar() {
  token_ = Token::none;
  const bool word = text_ == "true" || text_ == "false" || text_ == "null";
  if (!word && !is_number(text_)) return fail();
  handler_.on_scalar(text_);
  text_.clear();
  value_done();
}

void JsonScanner::value_done() {
  expects_ = containers_.empty() ? Expects::nothing : Expects::comma_or_end;
}

}  // namespace yume
