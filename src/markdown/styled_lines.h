// SPDX-License-Identifier: MIT
// Words in several styles, put into lines of a terminal. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/document.h"
#include "markdown/terminal_look.h"

namespace yume::markdown {

// Added up: bold and dim is bold | dim.
enum Style : unsigned {
  plain = 0,
  bold = 1U << 0U,
  dim = 1U << 1U,
  italic = 1U << 2U,
  underlined = 1U << 3U,
  struck = 1U << 4U,
  code = 1U << 5U,
  added = 1U << 6U,
  removed = 1U << 7U,
};

// The codes that set these styles alone; empty for none.
std::string style_codes(unsigned styles);
// `text`, which is safe for a terminal, between codes where they are wanted.
std::string in_style(std::string_view text, unsigned styles, const TerminalLook& look);

struct StyledLine {
  std::string text = {};
  std::size_t width = 0;
};

// Breaks at blanks, and beside characters of two columns; a word that is too long anywhere.
class StyledLines {
 public:
  StyledLines(std::size_t columns, const TerminalLook& look);

  void add(const std::vector<Span>& spans, unsigned styles = plain);
  // Any text: what a terminal would obey is left out.
  void add(std::string_view text, unsigned styles);
  void end_line();
  // At least one.
  std::vector<StyledLine> take();

 private:
  struct Piece {
    std::string text;
    std::size_t width;
    unsigned styles;
  };

  void add(const Span& span, unsigned styles);
  void add_link(const Span& span, unsigned styles);
  void add_safe(std::string_view text, unsigned styles);
  void add_to_word(std::string_view text, std::size_t width, unsigned styles);
  void add_wide_characters(std::string_view word, unsigned styles);
  void end_word();
  void place(std::string_view text, std::size_t width, unsigned styles);
  void switch_to(unsigned styles);
  void break_line();

  std::size_t columns_;
  const TerminalLook& look_;
  std::vector<StyledLine> lines_;
  StyledLine line_;
  unsigned line_styles_ = plain;  // that are switched on at its end
  std::vector<Piece> word_;
  std::size_t word_width_ = 0;
  bool blank_before_word_ = false;
  unsigned blank_styles_ = plain;
};

}  // namespace yume::markdown
