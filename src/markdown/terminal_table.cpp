// SPDX-License-Identifier: MIT
#include "markdown/terminal_table.h"

#include "markdown/styled_lines.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace yume::markdown {
namespace {

constexpr std::size_t k_fewest_columns = 6;  // of one that is made narrower
constexpr std::size_t k_any_width = 10'000;
// What stands between two columns: " | ".
constexpr std::size_t k_gap = 3;

std::vector<StyledLine> cell_lines(const Block& cell, std::size_t width, bool head,
                                   const TerminalLook& look) {
  StyledLines lines(width, look);
  lines.add(cell.spans, head ? bold : plain);
  return lines.take();
}

std::size_t natural_width(const Block& cell, const TerminalLook& look) {
  std::size_t widest = 1;
  for (const StyledLine& line : cell_lines(cell, k_any_width, false, look)) {
    widest = std::max(widest, line.width);
  }
  return widest;
}

std::vector<std::size_t> natural_widths(const Block& table, const TerminalLook& look) {
  std::vector<std::size_t> widths;
  const std::size_t rows = std::min(table.inner.size(), k_rows_that_decide);
  for (std::size_t row = 0; row < rows; ++row) {
    const std::vector<Block>& cells = table.inner[row].inner;
    if (widths.size() < cells.size()) widths.resize(cells.size(), 1);
    for (std::size_t at = 0; at < cells.size(); ++at) {
      widths[at] = std::max(widths[at], natural_width(cells[at], look));
    }
  }
  return widths;
}

// The widest give first. Empty: they do not fit at all.
std::vector<std::size_t> fitted(std::vector<std::size_t> widths, std::size_t room) {
  if (widths.empty()) return {};
  const std::size_t gaps = k_gap * (widths.size() - 1);
  std::size_t total = std::accumulate(widths.begin(), widths.end(), gaps);
  while (total > room) {
    const auto widest = std::max_element(widths.begin(), widths.end());
    if (*widest <= k_fewest_columns) return {};
    std::size_t next = k_fewest_columns;
    for (const std::size_t width : widths) {
      if (width < *widest) next = std::max(next, width);
    }
    const std::size_t least = *widest - std::max(next, k_fewest_columns);
    const std::size_t step = std::clamp<std::size_t>(least, 1, total - room);
    *widest -= step;
    total -= step;
  }
  return widths;
}

std::string aligned(const StyledLine& line, std::size_t width, Align align) {
  const std::size_t blanks = width > line.width ? width - line.width : 0;
  const std::size_t left = align == Align::right ? blanks : align == Align::centre ? blanks / 2 : 0;
  return std::string(left, ' ') + line.text + std::string(blanks - left, ' ');
}

void trim_end(std::string& line) {
  line.erase(line.find_last_not_of(' ') + 1);
}

void add_row(const Block& row, const std::vector<std::size_t>& columns, const TerminalLook& look,
             std::vector<std::string>& out) {
  std::vector<std::vector<StyledLine>> cells;
  std::size_t height = 1;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    const bool there = at < row.inner.size();
    cells.push_back(there ? cell_lines(row.inner[at], columns[at], row.is_head, look)
                          : std::vector<StyledLine>(1));
    height = std::max(height, cells.back().size());
  }
  const std::string gap = in_style(look.utf8 ? " │ " : " | ", dim, look);
  for (std::size_t part = 0; part < height; ++part) {
    std::string line;
    for (std::size_t at = 0; at < columns.size(); ++at) {
      if (at > 0) line += gap;
      const Align align = at < row.inner.size() ? row.inner[at].align : Align::none;
      line += aligned(part < cells[at].size() ? cells[at][part] : StyledLine{}, columns[at], align);
    }
    trim_end(line);
    out.push_back(std::move(line));
  }
}

std::string rule(const std::vector<std::size_t>& columns, const TerminalLook& look) {
  std::string line;
  for (std::size_t at = 0; at < columns.size(); ++at) {
    if (at > 0) line += look.utf8 ? "─┼─" : "-+-";
    for (std::size_t i = 0; i < columns[at]; ++i) line += look.utf8 ? "─" : "-";
  }
  return in_style(line, dim, look);
}

// Each row as a record: a line for each of its cells.
std::vector<std::string> as_records(const Block& table, const TableLayout& layout) {
  std::vector<std::string> out;
  const Block* head = nullptr;
  for (const Block& row : table.inner) {
    if (row.is_head) {
      head = &row;
      continue;
    }
    if (!out.empty() || layout.goes_on) out.emplace_back();
    for (std::size_t at = 0; at < row.inner.size(); ++at) {
      StyledLines lines(layout.room, layout.look);
      if (head != nullptr && at < head->inner.size()) {
        lines.add(head->inner[at].spans, bold);
        lines.add(": ", bold);
      }
      lines.add(row.inner[at].spans);
      for (StyledLine& line : lines.take()) out.push_back(std::move(line.text));
    }
  }
  return out;
}

}  // namespace

TableText table_text(const Block& table, const TableLayout& layout) {
  TableText text{.lines = {},
                 .columns = layout.goes_on
                                ? layout.columns
                                : fitted(natural_widths(table, layout.look), layout.room)};
  if (text.columns.empty()) {
    text.lines = as_records(table, layout);
    return text;
  }
  for (const Block& row : table.inner) {
    if (row.is_head && layout.goes_on) continue;
    add_row(row, text.columns, layout.look, text.lines);
    if (row.is_head) text.lines.push_back(rule(text.columns, layout.look));
  }
  return text;
}

}  // namespace yume::markdown
