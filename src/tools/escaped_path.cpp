// SPDX-License-Identifier: MIT
#include "tools/escaped_path.h"

#include "util/utf8.h"

#include <algorithm>

namespace yume::tools {
namespace {

constexpr std::size_t k_none = std::string_view::npos;

bool is_control(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte < 0x20 || byte == 0x7F;
}

bool needs_quotes(std::string_view path) {
  if (path.empty()) return false;
  // A tilde would be taken for the home directory.
  constexpr std::string_view k_not_first = "\"~ ";
  return k_not_first.find(path.front()) != k_none || path.back() == ' ' ||
         path.find("/\"") != k_none || std::any_of(path.begin(), path.end(), is_control) ||
         !is_valid_utf8(path);
}

void append_octal(std::string& text, char c) {
  const auto byte = static_cast<unsigned char>(c);
  text.push_back('\\');
  for (const unsigned shift : {6U, 3U, 0U}) {
    text.push_back(static_cast<char>('0' + (byte >> shift & 7U)));
  }
}

void append_escaped(std::string& text, char c) {
  switch (c) {
    case '"':
    case '\\':
      text.append("\\").push_back(c);
      break;
    case '\n':
      text += "\\n";
      break;
    case '\t':
      text += "\\t";
      break;
    default:
      append_octal(text, c);
  }
}

// Reads a quoted text from its first quote to its last.
class QuotedReader {
 public:
  QuotedReader(std::string_view text, std::size_t& at) : text_(text), at_(at) {}

  std::optional<std::string> read() {
    std::string bytes;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') {
        ++at_;
        return bytes;
      }
      const std::optional<char> c = text_[at_] == '\\' ? escape() : text_[at_];
      if (!c) return std::nullopt;
      bytes.push_back(*c);
    }
    return std::nullopt;
  }

 private:
  // Stands on the backslash, and afterwards on the escape's last character.
  std::optional<char> escape() {
    if (++at_ >= text_.size()) return std::nullopt;
    constexpr std::string_view k_letters = "abtnvfr";  // in the order of their bytes, from 7 on
    const char c = text_[at_];
    if (c == '"' || c == '\\') return c;
    if (const std::size_t letter = k_letters.find(c); letter != k_none) {
      return static_cast<char>('\a' + static_cast<char>(letter));
    }
    return octal();
  }

  std::optional<char> octal() {
    unsigned byte = 0;
    const std::string_view digits = text_.substr(at_, 3);
    for (const char c : digits) {
      if (c < '0' || c > '7') return std::nullopt;
      byte = byte * 8 + static_cast<unsigned>(c - '0');
    }
    if (digits.size() < 3 || byte == 0 || byte > 0xFF) return std::nullopt;
    at_ += 2;
    return static_cast<char>(byte);
  }

  std::string_view text_;
  std::size_t& at_;
};

}  // namespace

std::string escaped_path(std::string_view path) {
  if (!needs_quotes(path)) return std::string(path);
  std::string text = "\"";
  for (std::size_t at = 0; at < path.size();) {
    const DecodedCharacter character = decode_utf8(path, at);
    const std::string_view bytes = path.substr(at, character.length);
    const char first = bytes.front();
    if (character.valid && first != '"' && first != '\\' && !is_control(first)) {
      text += bytes;
    } else {
      for (const char c : bytes) append_escaped(text, c);
    }
    at += character.length;
  }
  text.push_back('"');
  return text;
}

std::optional<std::string> unescaped_path(std::string_view text) {
  std::string path;
  bool any = false;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] == '"') {
      const auto name = QuotedReader(text, at).read();
      if (!name || (at < text.size() && text[at] != '/')) return std::nullopt;
      path += *name;
      any = true;
    }
    const std::size_t slash = std::min(text.find('/', at), text.size() - 1);
    path += text.substr(at, slash + 1 - at);
    at = slash + 1;
  }
  if (!any) return std::nullopt;
  return path;
}

}  // namespace yume::tools
