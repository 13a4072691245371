// SPDX-License-Identifier: MIT
#include "app/hosts/jsonc_text.h"

#include "util/json_io.h"
#include "util/json_tree.h"

#include <algorithm>
#include <utility>

namespace yume::app {
namespace {

constexpr std::string_view k_blanks = " \t\r\n";

// Behind the string that begins at `at`; the text's size when it never ends.
std::size_t skip_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size(); ++at) {
    if (text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      return at + 1;
    }
  }
  return text.size();
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(k_blanks, at), text.size());
}

// Behind a value of valid JSON.
std::size_t skip_value(std::string_view json, std::size_t at) {
  if (json[at] == '"') return skip_string(json, at);
  if (json[at] != '{' && json[at] != '[') {
    return std::min(json.find_first_of(" \t\r\n,]}", at), json.size());
  }
  std::size_t depth = 0;
  while (at < json.size()) {
    const char c = json[at];
    if (c == '"') {
      at = skip_string(json, at);
      continue;
    }
    ++at;
    if (c == '{' || c == '[') ++depth;
    if ((c == '}' || c == ']') && --depth == 0) break;
  }
  return at;
}

void blank_out(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < to; ++i) {
    if (text[i] != '\n' && text[i] != '\r') text[i] = ' ';
  }
}

// False when a comment never ends.
bool blank_comments(std::string& text) {
  std::size_t at = 0;
  while (at < text.size()) {
    if (text[at] == '"') {
      at = skip_string(text, at);
    } else if (text.compare(at, 2, "//") == 0) {
      const std::size_t end = std::min(text.find_first_of("\r\n", at), text.size());
      blank_out(text, at, end);
      at = end;
    } else if (text.compare(at, 2, "/*") == 0) {
      const std::size_t close = text.find("*/", at + 2);
      if (close == std::string::npos) return false;
      blank_out(text, at, close + 2);
      at = close + 2;
    } else {
      ++at;
    }
  }
  return true;
}

std::vector<std::size_t> blank_last_commas(std::string& text) {
  std::vector<std::size_t> commas;
  char before = '\0';  // the last character that is no blank
  for (std::size_t at = skip_blanks(text, 0); at < text.size(); at = skip_blanks(text, at)) {
    const char c = text[at];
    if (c == '"') {
      at = skip_string(text, at);
    } else {
      const std::size_t next = skip_blanks(text, at + 1);
      const bool closes = next < text.size() && (text[next] == '}' || text[next] == ']');
      const bool ends_a_value = before != '\0' && before != ',' && before != '{' && before != '[';
      if (c == ',' && closes && ends_a_value) {
        commas.push_back(at);
        text[at] = ' ';
      }
      ++at;
    }
    before = c;
  }
  return commas;
}

Error no_json(std::string why) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(why)};
}

}  // namespace

Result<JsoncText> JsoncText::read(std::string text) {
  JsoncText out;
  out.plain_ = text;
  out.text_ = std::move(text);
  constexpr std::string_view k_mark = "\xEF\xBB\xBF";
  if (out.plain_.starts_with(k_mark)) blank_out(out.plain_, 0, k_mark.size());
  if (!blank_comments(out.plain_)) return no_json("a comment has no end");
  out.root_ = skip_blanks(out.plain_, 0);
  out.is_blank_ = out.root_ == out.plain_.size();
  if (out.is_blank_) return out;
  out.last_commas_ = blank_last_commas(out.plain_);
  if (const auto valid = check_json(out.plain_); !valid) {
    return no_json("it cannot be understood: " + valid.error().message);
  }
  if (out.plain_[out.root_] != '{') return no_json("it is no JSON object");
  return out;
}

std::vector<JsoncMember> JsoncText::members(std::size_t open) const {
  std::vector<JsoncMember> found;
  std::size_t at = skip_blanks(plain_, open + 1);
  while (plain_[at] == '"') {
    JsoncMember member;
    member.key_begin = at;
    at = skip_string(plain_, at);
    const std::string_view key = std::string_view(plain_).substr(member.key_begin);
    member.key = read_json(key.substr(0, at - member.key_begin)).get<std::string>();
    at = skip_blanks(plain_, at);      // the colon
    at = skip_blanks(plain_, at + 1);  // the value
    member.value_begin = at;
    at = skip_value(plain_, at);
    member.value_end = at;
    found.push_back(std::move(member));
    at = skip_blanks(plain_, at);  // a comma, or the brace
    if (plain_[at] != ',') break;
    at = skip_blanks(plain_, at + 1);
  }
  return found;
}

std::size_t JsoncText::end_of_object(std::size_t open) const {
  return skip_value(plain_, open) - 1;
}

bool JsoncText::has_last_comma(std::size_t close) const {
  const std::size_t last = plain_.find_last_not_of(k_blanks, close - 1);
  return std::any_of(last_commas_.begin(), last_commas_.end(),
                     [&](std::size_t comma) { return comma > last && comma < close; });
}

}  // namespace yume::app
