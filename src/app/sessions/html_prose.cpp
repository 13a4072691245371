// SPDX-License-Identifier: MIT
#include "app/sessions/html_prose.h"

#include "util/utf8.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace yume::app {
namespace {

std::vector<std::string_view> lines_of(std::string_view text) {
  std::vector<std::string_view> lines;
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(line);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
  return lines;
}

std::string_view trimmed(std::string_view line) {
  const std::size_t from = line.find_first_not_of(" \t");
  return from == std::string_view::npos ? std::string_view() : line.substr(from);
}

// How many marks open a code block here; 0: none.
std::size_t fence_length(std::string_view line) {
  const std::string_view text = trimmed(line);
  const char mark = text.empty() ? ' ' : text.front();
  if (mark != '`' && mark != '~') return 0;
  const std::size_t length = std::min(text.find_first_not_of(mark), text.size());
  return length >= 3 ? length : 0;
}

std::size_t heading_level(std::string_view line) {
  const std::size_t level = line.find_first_not_of('#');
  const bool heading =
      level != std::string_view::npos && level > 0 && level <= 6 && line[level] == ' ';
  return heading ? level : 0;
}

// The text of a list's item; nullopt when the line is none.
std::optional<std::string_view> bullet(std::string_view line) {
  const std::string_view text = trimmed(line);
  const bool marked = text.size() > 2 && (text[0] == '-' || text[0] == '*') && text[1] == ' ';
  if (!marked) return std::nullopt;
  return text.substr(2);
}

std::string inline_html(std::string_view text) {
  std::string out;
  bool bold = false;
  while (!text.empty()) {
    if (text.front() == '`') {
      const std::size_t ticks = std::min(text.find_first_not_of('`'), text.size());
      const std::size_t close = text.find(text.substr(0, ticks), ticks);
      if (close != std::string_view::npos) {
        out += "<code>" + escaped(text.substr(ticks, close - ticks)) + "</code>";
        text.remove_prefix(close + ticks);
        continue;
      }
      out += escaped(text.substr(0, ticks));
      text.remove_prefix(ticks);
    } else if (text.starts_with("**") && (bold || text.find("**", 2) != std::string_view::npos)) {
      bold = !bold;
      out += bold ? "<strong>" : "</strong>";
      text.remove_prefix(2);
    } else {
      const std::size_t next = std::min(text.find_first_of("`*", 1), text.size());
      out += escaped(text.substr(0, next));
      text.remove_prefix(next);
    }
  }
  return bold ? out + "</strong>" : out;
}

class Prose {
 public:
  std::string render(std::string_view text) {
    const auto lines = lines_of(text);
    for (std::size_t at = 0; at < lines.size(); ++at) {
      if (fence_length(lines[at]) > 0) {
        at = code(lines, at);
      } else {
        line(lines[at]);
      }
    }
    close();
    return std::move(out_);
  }

 private:
  enum class Open { nothing, paragraph, list };

  void close() {
    if (open_ == Open::paragraph) out_ += "</p>\n";
    if (open_ == Open::list) out_ += "</ul>\n";
    open_ = Open::nothing;
  }

  void line(std::string_view line) {
    if (trimmed(line).empty()) {
      close();
    } else if (const std::size_t level = heading_level(line); level > 0) {
      close();
      out_ += "<h4>" + inline_html(line.substr(level + 1)) + "</h4>\n";
    } else if (const auto item = bullet(line)) {
      if (open_ != Open::list) {
        close();
        out_ += "<ul>\n";
        open_ = Open::list;
      }
      out_ += "<li>" + inline_html(*item) + "</li>\n";
    } else if (open_ == Open::paragraph) {
      out_ += "\n" + inline_html(line);  // line ends stay, by the style
    } else {
      close();
      out_ += "<p>" + inline_html(line);
      open_ = Open::paragraph;
    }
  }

  // Returns the last line that belongs to the block; one that is never closed goes to the end.
  std::size_t code(const std::vector<std::string_view>& lines, std::size_t first) {
    close();
    const std::size_t length = fence_length(lines[first]);
    std::size_t last = first + 1;
    while (last < lines.size() && fence_length(lines[last]) < length) ++last;
    std::string content;
    for (std::size_t at = first + 1; at < last; ++at) content += escaped(lines[at]) + "\n";
    out_ += "<pre class=\"code\"><code>" + content + "</code></pre>\n";
    return last;
  }

  std::string out_;
  Open open_ = Open::nothing;
};

}  // namespace

std::string escaped(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    at += character.length;
    switch (character.code_point) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      case '\n':
      case '\t':
        out += static_cast<char>(character.code_point);
        break;
      default:
        append_utf8(out, character.code_point < 0x20 || character.code_point == 0x7F
                             ? 0xFFFD
                             : character.code_point);
    }
  }
  return out;
}

std::string prose_html(std::string_view text) {
  return Prose().render(text);
}

}  // namespace yume::app
