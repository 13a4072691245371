// SPDX-License-Identifier: MIT
#include "util/front_matter.h"

#include <algorithm>
#include <utility>

namespace yume {
namespace {

constexpr std::string_view k_white = " \t\r";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(k_white), text.size()));
  return text.substr(0, text.find_last_not_of(k_white) + 1);
}

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line;
}

std::size_t indent_of(std::string_view line) {
  return std::min(line.find_first_not_of(' '), line.size());
}

// A quoted text without its quotes; any other as it is, without a comment behind it.
std::string scalar(std::string_view text) {
  text = trimmed(text);
  const bool quoted = text.size() >= 2 && (text.front() == '"' || text.front() == '\'') &&
                      text.back() == text.front();
  if (!quoted) return std::string(trimmed(text.substr(0, text.find(" #"))));
  const char quote = text.front();
  text = text.substr(1, text.size() - 2);
  std::string plain;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char next = i + 1 < text.size() ? text[i + 1] : '\0';
    const bool escaped = quote == '"' ? text[i] == '\\' && (next == '"' || next == '\\')
                                      : text[i] == '\'' && next == '\'';
    if (quote == '"' && text[i] == '\\' && next == 'n') {
      plain.push_back('\n');
      ++i;
      continue;
    }
    if (escaped) ++i;
    plain.push_back(text[i]);
  }
  return plain;
}

// The entries of `a, "b, c", d(e, f)`.
std::vector<std::string> entries(std::string_view text) {
  std::vector<std::string> found;
  char quote = '\0';
  int depth = 0;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    std::string entry = scalar(text.substr(begin, end - begin));
    if (!entry.empty()) found.push_back(std::move(entry));
    begin = end + 1;
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char letter = text[i];
    if (quote != '\0') {
      if (letter == quote) quote = '\0';
    } else if (letter == '"' || letter == '\'') {
      quote = letter;
    } else if (letter == '(') {
      ++depth;
    } else if (letter == ')') {
      --depth;
    } else if (letter == ',' && depth <= 0) {
      add(i);
    }
  }
  add(text.size());
  return found;
}

class HeaderReader {
 public:
  explicit HeaderReader(std::string_view lines) : rest_(lines) {}

  FrontMatter read() {
    while (!rest_.empty()) {
      const std::string_view line = take_line(rest_);
      const std::size_t colon = line.find(':');
      const bool is_field = indent_of(line) == 0 && colon != std::string_view::npos && colon > 0 &&
                            !line.starts_with('#') &&
                            (colon + 1 == line.size() || line[colon + 1] == ' ');
      if (is_field) {
        const std::string_view written = trimmed(line.substr(colon + 1));
        header_.set(std::string(trimmed(line.substr(0, colon))),
                    {.values = value(written), .written = std::string(written)});
      }
    }
    return std::move(header_);
  }

 private:
  std::vector<std::string> value(std::string_view text) {
    if (text.empty()) return block_list();
    if (text.starts_with('|') || text.starts_with('>')) return {block_text(text.front())};
    if (text.starts_with('[') && text.ends_with(']')) {
      return entries(text.substr(1, text.size() - 2));
    }
    // A plain text goes on in lines that are indented.
    std::string whole = scalar(text);
    while (!rest_.empty() && rest_.front() == ' ') {
      const std::string_view more = trimmed(take_line(rest_));
      if (!more.empty()) whole.append(" ").append(more);
    }
    return {std::move(whole)};
  }

  std::vector<std::string> block_list() {
    std::vector<std::string> found;
    while (!rest_.empty()) {
      std::string_view after = rest_;
      const std::string_view line = trimmed(take_line(after));
      if (!line.empty() && !line.starts_with("- ")) break;
      rest_ = after;
      if (!line.empty()) found.push_back(scalar(line.substr(2)));
    }
    return found;
  }

  std::string block_text(char style) {
    std::string whole;
    std::optional<std::size_t> indent;
    while (!rest_.empty()) {
      std::string_view after = rest_;
      const std::string_view line = take_line(after);
      const bool blank = trimmed(line).empty();
      if (!blank && indent_of(line) == 0) break;
      rest_ = after;
      if (!blank && !indent) indent = indent_of(line);
      const std::string_view text =
          line.substr(std::min({indent.value_or(0), indent_of(line), line.size()}));
      if (!whole.empty()) whole.push_back(style == '|' || blank ? '\n' : ' ');
      whole.append(blank ? std::string_view() : text);
    }
    return whole.substr(0, whole.find_last_not_of(" \n") + 1);
  }

  std::string_view rest_;
  FrontMatter header_;
};

}  // namespace

std::string FrontMatter::written(std::string_view key) const {
  const auto found = fields_.find(key);
  return found == fields_.end() ? std::string() : found->second.written;
}

std::vector<std::string> FrontMatter::list(std::string_view key) const {
  const auto found = fields_.find(key);
  return found == fields_.end() ? std::vector<std::string>() : found->second.values;
}

std::string FrontMatter::text(std::string_view key) const {
  std::string joined;
  for (const std::string& entry : list(key)) joined.append(joined.empty() ? "" : ", ") += entry;
  return joined;
}

std::optional<bool> FrontMatter::flag(std::string_view key) const {
  const std::string value = text(key);
  if (value == "true" || value == "yes" || value == "on") return true;
  if (value == "false" || value == "no" || value == "off") return false;
  return std::nullopt;
}

MarkdownFile read_markdown(std::string_view text) {
  constexpr std::string_view k_mark = "\xEF\xBB\xBF";
  if (text.starts_with(k_mark)) text.remove_prefix(k_mark.size());
  std::string_view rest = text;
  if (trimmed(take_line(rest)) != "---" || !text.starts_with("---")) {
    return {.header = {}, .body = std::string(text)};
  }
  const std::string_view header = rest;
  while (!rest.empty()) {
    const std::size_t end = header.size() - rest.size();
    if (const std::string_view line = take_line(rest);
        trimmed(line) == "---" && indent_of(line) == 0) {
      rest.remove_prefix(std::min(rest.find_first_not_of("\r\n"), rest.size()));
      return {.header = HeaderReader(header.substr(0, end)).read(), .body = std::string(rest)};
    }
  }
  return {.header = {}, .body = std::string(text)};  // never closed: no header
}

}  // namespace yume
