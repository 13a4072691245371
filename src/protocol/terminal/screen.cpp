// SPDX-License-Identifier: MIT
#include "protocol/terminal/screen.h"

#include "util/display_width.h"
#include "util/escape_codes.h"
#include "util/utf8.h"

#include <algorithm>
#include <utility>

namespace yume::protocol {
namespace {

constexpr std::string_view k_clear_line = "\x1b[K";
constexpr std::string_view k_clear_below = "\x1b[J";
constexpr std::size_t k_fewest_columns = 10;

// Of the code at the beginning: ESC [ ... m.
std::size_t length_of_code(std::string_view text) {
  const std::size_t end = text.find('m');
  return end == std::string_view::npos ? text.size() : end + 1;
}

}  // namespace

std::string cut_to_width(std::string_view text, std::size_t columns) {
  std::string out;
  std::size_t width = 0;
  bool styled = false;
  while (!text.empty()) {
    if (text.front() == '\x1b') {
      const std::size_t length = length_of_code(text);
      out.append(text.substr(0, length));
      text.remove_prefix(length);
      styled = true;
      continue;
    }
    const std::string_view character = text.substr(0, decode_utf8(text, 0).length);
    width += display_width(character);
    if (width > columns) return styled ? out + "\x1b[0m" : out;
    out.append(character);
    text.remove_prefix(character.size());
  }
  return out;
}

// A terminal that was made narrower has broken the rows that are too long for it now.
std::size_t Screen::height(std::size_t from, std::size_t columns) const {
  std::size_t lines = 0;
  for (std::size_t at = from; at < rows_.size(); ++at) {
    const std::size_t width = display_width(without_escape_codes(rows_[at]));
    lines += std::max<std::size_t>((width + columns - 1) / columns, 1);
  }
  return lines;
}

std::size_t Screen::rows_that_stay(const std::vector<std::string>& rows) const {
  std::size_t same = 0;
  while (same < rows.size() && same < rows_.size() && rows[same] == rows_[same]) ++same;
  return same;
}

void Screen::update(std::string_view lines, std::vector<std::string> rows) {
  if (!animated_) {
    if (!lines.empty()) output_.bytes(lines);
    return;
  }
  const std::size_t columns = std::max(size_().columns, k_fewest_columns);
  for (std::string& row : rows) row = cut_to_width(row, columns - 1);
  // A terminal that was made wider or narrower may have moved the rows that would stay.
  const bool resized = std::exchange(columns_, columns) != columns;
  const std::size_t same = lines.empty() && !resized ? rows_that_stay(rows) : 0;
  if (lines.empty() && same == rows.size() && same == rows_.size()) return;

  std::string out;
  if (same < rows_.size()) {
    out += "\r";
    const std::size_t up = height(same, columns) - 1;
    if (up > 0) out += "\x1b[" + std::to_string(up) + "A";
  } else if (same > 0) {
    out += "\n";
  }
  // Lines may be wider than the terminal and end anywhere, so what they replace goes first.
  if (!lines.empty()) out.append(k_clear_below).append(lines);
  for (std::size_t at = same; at < rows.size(); ++at) {
    if (at > same) out += "\n";
    out.append(rows[at]).append(k_clear_line);
  }
  out += k_clear_below;
  // Behind the last of those that stay.
  if (same == rows.size() && same > 0) out.append("\x1b[A\r").append(rows.back());
  rows_ = std::move(rows);
  output_.bytes(out);
}

}  // namespace yume::protocol
