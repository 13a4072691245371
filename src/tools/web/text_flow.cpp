// SPDX-License-Identifier: MIT
#include "tools/web/text_flow.h"

#include <algorithm>
#include <utility>

namespace yume::tools::web {
namespace {

constexpr std::string_view k_white = " \t\r\n\f";
constexpr std::string_view k_no_break_space = "\xC2\xA0";
constexpr std::size_t k_deepest_prefix = 12;  // deeper lists look as deep as this

// Of the white space that the text begins with: one character's bytes, 0 for none.
std::size_t blank_length(std::string_view text) {
  if (k_white.find(text.front()) != std::string_view::npos) return 1;
  return text.starts_with(k_no_break_space) ? k_no_break_space.size() : 0;
}

}  // namespace

void TextFlow::want_breaks(int count) {
  if (row_mode_ > 0) {
    space_ = true;
    return;
  }
  if (line_empty_ && out_.empty()) return;
  breaks_ = std::max(breaks_, count);
}

void TextFlow::hard_break() {
  if (row_mode_ > 0) {
    space_ = true;
    return;
  }
  breaks_ = std::min(breaks_ + 1, 2);
}

void TextFlow::begin_line() {
  const std::size_t shown = std::min(prefixes_.size(), k_deepest_prefix);
  const std::size_t whole = marked_ && shown > 0 ? shown - 1 : shown;
  for (std::size_t i = 0; i < whole; ++i) out_ += prefixes_[i];
  if (std::exchange(marked_, false)) out_ += marker_;
}

void TextFlow::write(std::string_view text) {
  for (std::size_t bar = 0; row_mode_ > 0 && (bar = text.find('|')) != std::string_view::npos;) {
    out_.append(text.substr(0, bar)).append("\\|");
    text.remove_prefix(bar + 1);
  }
  out_ += text;
}

void TextFlow::begin_spans() {
  for (auto span = spans_.rbegin(); span != spans_.rend() && *span == k_not_begun; ++span) {
    *span = out_.size();
  }
}

std::optional<std::size_t> TextFlow::close_span() {
  const std::size_t place = spans_.back();
  spans_.pop_back();
  return place == k_not_begun ? std::nullopt : std::optional(place);
}

void TextFlow::settle() {
  if (breaks_ > 0 && !out_.empty()) out_.append(static_cast<std::size_t>(breaks_), '\n');
  const bool fresh = breaks_ > 0 || out_.empty();
  if (fresh) {
    begin_line();
  } else if (space_ && !line_empty_ && !out_.ends_with(' ')) {
    out_ += ' ';
  }
  breaks_ = 0;
  space_ = false;
  if (fresh) line_empty_ = true;
}

void TextFlow::words(std::string_view text) {
  while (!text.empty()) {
    if (const std::size_t blank = blank_length(text); blank > 0) {
      space_ = true;
      text.remove_prefix(blank);
      continue;
    }
    std::size_t end = 1;
    while (end < text.size() && blank_length(text.substr(end)) == 0) ++end;
    settle();
    begin_spans();
    write(text.substr(0, end));
    line_empty_ = false;
    text.remove_prefix(end);
  }
}

void TextFlow::lines(std::string_view text) {
  for (;;) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) {
      settle();
      begin_spans();
      write(line);
      line_empty_ = false;
    }
    if (end == std::string_view::npos) return;
    if (row_mode_ > 0) {
      space_ = true;
    } else {
      if (!out_.empty()) ++breaks_;
    }
    text.remove_prefix(end + 1);
  }
}

void TextFlow::mark(std::string_view text) {
  write(text);
  if (!text.empty()) line_empty_ = false;
}

void TextFlow::mark_next(std::string_view text) {
  settle();
  begin_spans();
  mark(text);
}

void TextFlow::push(std::string_view prefix, std::string_view first) {
  prefixes_.emplace_back(prefix);
  marker_ = first;
  marked_ = first != prefix;
}

void TextFlow::pop() {
  prefixes_.pop_back();
  marked_ = false;
}

std::string_view TextFlow::since(std::size_t place) const {
  return std::string_view(out_).substr(std::min(place, out_.size()));
}

std::string TextFlow::take() {
  // No line ends in blanks, and none but text ends the whole.
  std::string clean;
  clean.reserve(out_.size());
  for (const char c : out_) {
    if (c == '\n') clean.erase(clean.find_last_not_of(" \t") + 1);
    clean += c;
  }
  clean.erase(clean.find_last_not_of(" \t\n") + 1);
  out_.clear();
  return clean;
}

}  // namespace yume::tools::web
