// SPDX-License-Identifier: MIT
#include "markdown/styled_lines.h"

#include "util/display_width.h"
#include "util/escape_codes.h"
#include "util/utf8.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::markdown {
namespace {

struct StyleCode {
  Style style;
  std::string_view code;
};
constexpr std::array<StyleCode, 8> k_codes = {{{bold, "1"},
                                               {dim, "2"},
                                               {italic, "3"},
                                               {underlined, "4"},
                                               {struck, "9"},
                                               {code, "36"},
                                               {added, "32"},
                                               {removed, "31"}}};

bool is_plain_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= ' ' && c < 0x7F; });
}

constexpr std::size_t k_widest_character = 2;

}  // namespace

std::string style_codes(unsigned styles) {
  std::string codes;
  for (const StyleCode& one : k_codes) {
    if ((styles & one.style) == 0) continue;
    codes.append(codes.empty() ? "\x1b[" : ";").append(one.code);
  }
  return codes.empty() ? codes : codes + "m";
}

std::string in_style(std::string_view text, unsigned styles, const TerminalLook& look) {
  if (!look.colours || styles == plain) return std::string(text);
  return style_codes(styles).append(text).append("\x1b[0m");
}

StyledLines::StyledLines(std::size_t columns, const TerminalLook& look)
    : columns_(std::max(columns, k_widest_character)), look_(look) {}

void StyledLines::add(const std::vector<Span>& spans, unsigned styles) {
  for (const Span& span : spans) add(span, styles);
}

void StyledLines::add(const Span& span, unsigned styles) {
  switch (span.kind) {
    case Span::Kind::text:
      return add(span.text, styles);
    case Span::Kind::code:
      if (look_.colours) return add(span.text, styles | code);
      return add("`" + span.text + "`", styles);
    case Span::Kind::emphasis:
      return add(span.inner, styles | italic);
    case Span::Kind::strong:
      return add(span.inner, styles | bold);
    case Span::Kind::struck:
      return add(span.inner, styles | struck);
    case Span::Kind::link:
    case Span::Kind::image:
      return add_link(span, styles);
    case Span::Kind::soft_break:
    case Span::Kind::hard_break:
      return end_line();
  }
}

// Where it leads is always to be seen: the text alone could promise anything.
void StyledLines::add_link(const Span& span, unsigned styles) {
  const std::string name = plain_text(span.inner);
  const bool picture = span.kind == Span::Kind::image;
  if (picture) add("[picture: ", styles);
  add(span.inner, picture ? styles : styles | underlined);
  if (picture) add("]", styles);
  const bool said =
      name == span.target || "mailto:" + name == span.target || "http://" + name == span.target;
  if (span.target.empty() || said) return;
  add(name.empty() && !picture ? span.target : " (" + span.target + ")", styles | dim);
}

void StyledLines::add(std::string_view text, unsigned styles) {
  if (is_plain_ascii(text)) return add_safe(text, styles);
  add_safe(safe_for_terminal(text), styles);
}

void StyledLines::add_safe(std::string_view text, unsigned styles) {
  constexpr std::string_view k_blanks = " \t\n";
  while (!text.empty()) {
    const std::size_t length = std::min(text.find_first_of(k_blanks), text.size());
    const std::string_view word = text.substr(0, length);
    if (is_plain_ascii(word)) {
      add_to_word(word, word.size(), styles);
    } else {
      add_wide_characters(word, styles);
    }
    text.remove_prefix(length);
    if (text.empty()) return;
    end_word();
    if (text.front() == '\n') {
      end_line();
    } else {
      blank_before_word_ = true;
      blank_styles_ = styles;
    }
    text.remove_prefix(1);
  }
}

// Scripts without blanks may be broken between any two of their characters.
void StyledLines::add_wide_characters(std::string_view word, unsigned styles) {
  for (std::size_t at = 0; at < word.size();) {
    std::size_t end = at + decode_utf8(word, at).length;
    const std::size_t width = display_width(word.substr(at, end - at));
    // What has no width of its own stays with the character that it belongs to.
    while (end < word.size()) {
      const std::size_t length = decode_utf8(word, end).length;
      if (display_width(word.substr(end, length)) > 0) break;
      end += length;
    }
    if (width > 1) end_word();
    add_to_word(word.substr(at, end - at), width, styles);
    if (width > 1) end_word();
    at = end;
  }
}

void StyledLines::add_to_word(std::string_view text, std::size_t width, unsigned styles) {
  if (text.empty()) return;
  if (!word_.empty() && word_.back().styles == styles) {
    word_.back().text += text;
    word_.back().width += width;
  } else {
    word_.push_back({std::string(text), width, styles});
  }
  word_width_ += width;
}

void StyledLines::end_word() {
  if (word_.empty()) return;
  const std::size_t blank = blank_before_word_ && line_.width > 0 ? 1 : 0;
  if (line_.width > 0 && line_.width + blank + word_width_ > columns_) {
    break_line();
  } else if (blank > 0) {
    const unsigned next = word_.front().styles;
    switch_to(next == line_styles_ && next == blank_styles_ ? next : unsigned{plain});
    line_.text += ' ';
    ++line_.width;
  }
  for (const Piece& piece : word_) place(piece.text, piece.width, piece.styles);
  word_.clear();
  word_width_ = 0;
  blank_before_word_ = false;
}

void StyledLines::place(std::string_view text, std::size_t width, unsigned styles) {
  while (line_.width + width > columns_) {
    const std::string_view part = prefix_of_width(text, columns_ - line_.width);
    if (part.empty() && line_.width == 0) break;  // wider than any line
    switch_to(styles);
    line_.text += part;
    const std::size_t taken = display_width(part);
    line_.width += taken;
    width -= taken;
    text.remove_prefix(part.size());
    if (text.empty()) return;
    break_line();
  }
  switch_to(styles);
  line_.text += text;
  line_.width += width;
}

void StyledLines::switch_to(unsigned styles) {
  if (!look_.colours || styles == line_styles_) return;
  if (line_styles_ != plain) line_.text += "\x1b[0m";
  line_.text += style_codes(styles);
  line_styles_ = styles;
}

void StyledLines::break_line() {
  switch_to(plain);
  lines_.push_back(std::exchange(line_, {}));
}

void StyledLines::end_line() {
  end_word();
  break_line();
  blank_before_word_ = false;
}

std::vector<StyledLine> StyledLines::take() {
  end_word();
  if (!line_.text.empty() || lines_.empty()) break_line();
  blank_before_word_ = false;
  return std::exchange(lines_, {});
}

}  // namespace yume::markdown
