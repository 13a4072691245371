// SPDX-License-Identifier: MIT
#include "tools/json_spans.h"

#include <algorithm>
#include <string>

namespace yume::tools {
namespace {

constexpr std::string_view k_space = " \t\r\n";

class Scanner {
 public:
  explicit Scanner(std::string_view text, std::size_t at = 0) : text_(text), at_(at) {}

  // The next character that is not white space; NUL at the end.
  char peek() {
    at_ = std::min(text_.find_first_not_of(k_space, at_), text_.size());
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  JsonSpan value() {
    const char first = peek();
    const std::size_t begin = at_;
    if (first == '"') {
      string();
    } else if (first == '{' || first == '[') {
      container();
    } else {
      at_ = std::min(text_.find_first_of(" \t\r\n,:]}", at_), text_.size());
    }
    return {begin, at_};
  }

 private:
  void string() {
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == '"') {
        break;
      }
    }
    at_ = std::min(at_ + 1, text_.size());
  }

  void container() {
    std::size_t depth = 0;
    while (at_ < text_.size()) {
      const char c = text_[at_];
      if (c == '"') {
        string();
        continue;
      }
      ++at_;
      if (c == '{' || c == '[') ++depth;
      if ((c == '}' || c == ']') && --depth == 0) return;
    }
  }

  std::string_view text_;
  std::size_t at_;
};

std::vector<JsonSpan> elements_of(std::string_view text, const JsonSpan& array) {
  std::vector<JsonSpan> elements;
  Scanner scanner(text.substr(0, array.end), array.begin);
  scanner.take('[');
  if (scanner.peek() == ']') return elements;
  do {
    const JsonSpan element = scanner.value();
    if (element.begin == element.end) break;
    elements.push_back(element);
  } while (scanner.take(','));
  return elements;
}

}  // namespace

std::optional<JsonArraySpans> find_json_array(std::string_view text, std::string_view key) {
  const std::string quoted = "\"" + std::string(key) + "\"";
  std::optional<JsonArraySpans> found;
  Scanner scanner(text);
  if (!scanner.take('{')) return std::nullopt;
  while (scanner.peek() == '"') {
    const JsonSpan name = scanner.value();
    if (!scanner.take(':')) return std::nullopt;
    const JsonSpan value = scanner.value();
    if (text.substr(name.begin, name.end - name.begin) == quoted) {
      found.reset();
      if (value.begin < text.size() && text[value.begin] == '[')
        found = JsonArraySpans{value, elements_of(text, value)};
    }
    if (!scanner.take(',')) break;
  }
  return found;
}

}  // namespace yume::tools
