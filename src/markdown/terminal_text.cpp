// SPDX-License-Identifier: MIT
#include "markdown/terminal_text.h"

#include "markdown/styled_lines.h"
#include "markdown/terminal_table.h"
#include "util/display_width.h"
#include "util/escape_codes.h"

#include <algorithm>
#include <utility>

namespace yume::markdown {
namespace {

constexpr std::size_t k_code_indent = 2;
constexpr std::size_t k_tab = 4;
constexpr std::size_t k_widest_rule = 40;
// However deep a block is in others: then lines are longer than the terminal is wide.
constexpr std::size_t k_least_room = 8;

// Tabs as blanks, so that every character has a known place.
std::string without_tabs(std::string_view line) {
  std::string out;
  for (std::size_t tab = line.find('\t'); tab != std::string_view::npos; tab = line.find('\t')) {
    out.append(line.substr(0, tab));
    out.append(k_tab - display_width(out) % k_tab, ' ');
    line.remove_prefix(tab + 1);
  }
  return out.append(line);
}

unsigned style_of_code(std::string_view line, std::string_view language) {
  if (language != "diff" && language != "patch") return code;
  if (line.starts_with('+')) return added;
  if (line.starts_with('-')) return removed;
  return line.starts_with("@@") ? dim : plain;
}

// What stands in front of the lines of a block that is inside of others.
struct Margin {
  std::string first;  // of its first line
  std::string rest;
  std::size_t width = 0;
  bool begun = false;
};

class Renderer {
 public:
  Renderer(const TerminalLook& look, const Joint& joint) : look_(look), joint_(joint) {}

  TerminalText render(const std::vector<Block>& blocks) && {
    const bool joined = joint_.kind != Joint::Kind::none;
    bool goes_on = joined;
    for (const Block& one : blocks) {
      gap_ = !goes_on && (joined || !text_.lines.empty());
      block(one, goes_on);
      goes_on = false;
    }
    return std::move(text_);
  }

 private:
  void line(std::string_view text) {
    if (std::exchange(gap_, false)) text_.lines.emplace_back();
    std::string out;
    for (Margin& margin : margins_) {
      out += margin.begun ? margin.rest : margin.first;
      margin.begun = true;
    }
    out += text;
    if (text.empty()) out.erase(out.find_last_not_of(' ') + 1);
    text_.lines.push_back(std::move(out));
  }

  [[nodiscard]] std::size_t room() const {
    std::size_t used = 0;
    for (const Margin& margin : margins_) used += margin.width;
    return std::max(look_.columns > used ? look_.columns - used : 0, k_least_room);
  }

  void block(const Block& block, bool goes_on) {
    switch (block.kind) {
      case Block::Kind::paragraph:
      case Block::Kind::cell:
        return words(block, plain);
      case Block::Kind::heading:
        return heading(block);
      case Block::Kind::quote:
        return quote(block);
      case Block::Kind::list:
        return list(block, goes_on);
      case Block::Kind::item:
        return item(block, "");
      case Block::Kind::code:
        return code_lines(block);
      case Block::Kind::rule:
        return rule();
      case Block::Kind::table:
        return table(block, goes_on);
      case Block::Kind::row:
        return;
    }
  }

  void words(const Block& block, unsigned styles, std::string_view mark = "") {
    StyledLines lines(room(), look_);
    if (!mark.empty()) lines.add(mark, styles);
    lines.add(block.spans, styles);
    for (const StyledLine& one : lines.take()) line(one.text);
  }

  // Without bold letters the marks say what it is.
  void heading(const Block& block) {
    if (!look_.colours) return words(block, plain, std::string(block.level, '#') + " ");
    words(block, block.level == 1 ? bold | underlined : unsigned{bold});
  }

  void quote(const Block& block) {
    const std::string mark = in_style(look_.utf8 ? "│ " : "> ", dim, look_);
    inside({.first = mark, .rest = mark, .width = 2}, block.inner);
  }

  // Between its blocks there is a blank line, but not in front of lists and code inside of lists.
  void inside(Margin margin, const std::vector<Block>& blocks) {
    margins_.push_back(std::move(margin));
    const bool in_item = margins_.back().first != margins_.back().rest;
    bool first = true;
    for (const Block& one : blocks) {
      const bool close =
          in_item && (one.kind == Block::Kind::list || one.kind == Block::Kind::code);
      if (!first && !close) line("");
      first = false;
      block(one, false);
    }
    if (!margins_.back().begun) line("");  // the mark of an empty one
    margins_.pop_back();
  }

  // Only the first number counts, as in every rendering of lists.
  void list(const Block& list, bool goes_on) {
    unsigned number = goes_on ? joint_.number : list.first_number.value_or(0);
    for (const Block& one : list.inner) {
      if (list.first_number) {
        item(one, std::to_string(number++) + ". ");
      } else {
        item(one, look_.utf8 ? "• " : "- ");
      }
    }
    if (margins_.empty()) text_.next_number = number;
  }

  void item(const Block& item, std::string mark) {
    if (item.done && look_.utf8) mark = *item.done ? "☑ " : "☐ ";
    if (item.done && !look_.utf8) mark += *item.done ? "[x] " : "[ ] ";
    const std::size_t width = display_width(mark);
    inside({.first = std::move(mark), .rest = std::string(width, ' '), .width = width}, item.inner);
  }

  void code_lines(const Block& block) {
    std::string_view text = block.text;
    if (text.ends_with('\n')) text.remove_suffix(1);
    if (text.empty() && block.text.empty()) return;
    for (;;) {
      const std::size_t end = text.find('\n');
      const std::string shown = without_tabs(safe_for_terminal(text.substr(0, end)));
      line(shown.empty() ? ""
                         : std::string(k_code_indent, ' ') +
                               in_style(shown, style_of_code(shown, block.language), look_));
      if (end == std::string_view::npos) return;
      text.remove_prefix(end + 1);
    }
  }

  void rule() {
    std::string text;
    for (std::size_t i = 0; i < std::min(room(), k_widest_rule); ++i) {
      text += look_.utf8 ? "─" : "-";
    }
    line(in_style(text, dim, look_));
  }

  void table(const Block& table, bool goes_on) {
    TableText text =
        table_text(table, {.room = room(),
                           .look = look_,
                           .goes_on = goes_on,
                           .columns = goes_on ? joint_.columns : std::vector<std::size_t>()});
    for (const std::string& one : text.lines) line(one);
    text_.columns = std::move(text.columns);
  }

  const TerminalLook& look_;
  const Joint& joint_;
  bool gap_ = false;  // a blank line belongs in front of the next one
  std::vector<Margin> margins_;
  TerminalText text_;
};

}  // namespace

TerminalText terminal_text(const std::vector<Block>& blocks, const TerminalLook& look,
                           const Joint& joint) {
  return Renderer(look, joint).render(blocks);
}

std::string terminal_text(std::string_view markdown, const TerminalLook& look) {
  std::string out;
  for (const std::string& line : terminal_text(parse(markdown), look).lines) out += line + "\n";
  return out;
}

}  // namespace yume::markdown
