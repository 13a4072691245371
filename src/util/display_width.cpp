// SPDX-License-Identifier: MIT
#include "util/display_width.h"

#include "util/utf8.h"

#include <algorithm>
#include <array>

namespace yume {
namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Unicode's East_Asian_Width W and F, in blocks.
constexpr std::array<Range, 20> k_wide = {
    {{0x1100, 0x115F},   {0x231A, 0x231B},   {0x2E80, 0x303E},   {0x3041, 0x4DBF},
     {0x4E00, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},
     {0xFE30, 0xFE6F},   {0xFF01, 0xFF60},   {0xFFE0, 0xFFE6},   {0x16FE0, 0x18AFF},
     {0x1B000, 0x1B2FF}, {0x1F004, 0x1F004}, {0x1F18E, 0x1F19A}, {0x1F200, 0x1F265},
     {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FC}, {0x1F7E0, 0x1FAFF}, {0x20000, 0x3FFFD}}};
// Combining marks, joiners and variation selectors.
constexpr std::array<Range, 12> k_without_width = {{{0x0300, 0x036F},
                                                    {0x0483, 0x0489},
                                                    {0x0591, 0x05BD},
                                                    {0x064B, 0x065F},
                                                    {0x1AB0, 0x1AFF},
                                                    {0x1DC0, 0x1DFF},
                                                    {0x200B, 0x200F},
                                                    {0x202A, 0x202E},
                                                    {0x20D0, 0x20FF},
                                                    {0xFE00, 0xFE0F},
                                                    {0xFE20, 0xFE2F},
                                                    {0xE0100, 0xE01EF}}};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, char32_t code) {
  const auto after =
      std::upper_bound(ranges.begin(), ranges.end(), code,
                       [](char32_t one, const Range& range) { return one < range.first; });
  return after != ranges.begin() && code <= std::prev(after)->last;
}

std::size_t width_of(char32_t code) {
  if (code < 0x0300) return code < 0x20 ? 0 : 1;
  if (is_in(k_without_width, code)) return 0;
  return is_in(k_wide, code) ? 2 : 1;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t at = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    width += width_of(character.code_point);
    at += character.length;
  }
  return width;
}

std::string_view prefix_of_width(std::string_view text, std::size_t columns) {
  std::size_t at = 0;
  for (std::size_t width = 0; at < text.size();) {
    const DecodedCharacter character = decode_utf8(text, at);
    width += width_of(character.code_point);
    if (width > columns) break;
    at += character.length;
  }
  return text.substr(0, at);
}

std::string_view suffix_of_width(std::string_view text, std::size_t columns) {
  std::size_t width = display_width(text);
  std::size_t at = 0;
  while (width > columns) {
    const DecodedCharacter character = decode_utf8(text, at);
    width -= width_of(character.code_point);
    at += character.length;
  }
  return text.substr(at);
}

std::string padded(std::string_view text, std::size_t columns) {
  const std::size_t width = display_width(text);
  return std::string(text) + std::string(columns > width ? columns - width : 0, ' ');
}

std::vector<std::string> wrapped(std::string_view text, std::size_t columns) {
  columns = std::max<std::size_t>(columns, 2);  // a wide character must fit
  std::vector<std::string> lines(1);
  while (!text.empty()) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(word.size());
    if (word.empty()) break;
    const std::size_t used = display_width(lines.back());
    if (!lines.back().empty() && used + 1 + display_width(word) > columns) lines.emplace_back();
    if (!lines.back().empty()) lines.back().push_back(' ');
    while (display_width(word) > columns) {
      const std::string_view piece = prefix_of_width(word, columns);
      lines.back().append(piece);
      lines.emplace_back();
      word.remove_prefix(piece.size());
    }
    lines.back().append(word);
  }
  return lines;
}

}  // namespace yume
