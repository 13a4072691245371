// SPDX-License-Identifier: MIT
#include "support/virtual_terminal.h"

#include "util/display_width.h"
#include "util/utf8.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace yume::test {

void VirtualTerminal::feed(std::string_view bytes) {
  largest_ = std::max(largest_, bytes.size());
  while (!bytes.empty()) {
    if (bytes.front() == '\x1b') {
      bytes.remove_prefix(escape(bytes));
      continue;
    }
    const std::string_view character = bytes.substr(0, decode_utf8(bytes, 0).length);
    bytes.remove_prefix(character.size());
    if (character == "\r") {
      column_ = 0;
    } else if (character == "\n") {
      line_feed();
      column_ = 0;  // as a terminal's driver has it
    } else if (static_cast<unsigned char>(character.front()) < 0x20) {
      ADD_FAILURE() << "a control character: " << int{character.front()};
    } else {
      put(character, display_width(character));
    }
  }
}

void VirtualTerminal::put(std::string_view character, std::size_t width) {
  if (width == 0) {
    if (column_ > 0) lines_[line_][column_ - 1].character += character;
    return;
  }
  if (column_ + width > columns_) {
    line_feed();
    column_ = 0;
  }
  std::vector<Cell>& cells = lines_[line_];
  if (cells.size() < column_ + width) cells.resize(column_ + width);
  cells[column_] = {std::string(character), false};
  if (width == 2) cells[column_ + 1] = {"", true};
  column_ += width;
}

void VirtualTerminal::line_feed() {
  if (++line_ == lines_.size()) lines_.emplace_back();
}

void VirtualTerminal::clear_to_end_of_line() {
  if (lines_[line_].size() > column_) lines_[line_].resize(column_);
}

// ESC [ number letter
std::size_t VirtualTerminal::escape(std::string_view bytes) {
  const std::size_t end = bytes.find_first_of("ABCDEFGHJKfhlmsu");
  if (!bytes.starts_with("\x1b[") || end == std::string_view::npos) {
    ADD_FAILURE() << "an escape code that is not known here";
    return bytes.size();
  }
  const std::string number(bytes.substr(2, end - 2));
  switch (bytes[end]) {
    case 'm':
      break;
    case 'K':
      EXPECT_EQ(number, "");
      clear_to_end_of_line();
      break;
    case 'J':
      EXPECT_EQ(number, "");
      clear_to_end_of_line();
      lines_.resize(line_ + 1);
      break;
    case 'A': {
      const std::size_t up = number.empty() ? 1 : std::stoul(number);
      const std::size_t top = lines_.size() > rows_ ? lines_.size() - rows_ : 0;
      line_ = std::max(line_ > up ? line_ - up : 0, top);
      break;
    }
    default:
      ADD_FAILURE() << "ESC [ " << number << bytes[end] << " is not used";
  }
  return end + 1;
}

std::string VirtualTerminal::text() const {
  std::string out;
  for (const std::vector<Cell>& cells : lines_) {
    std::string line;
    for (const Cell& cell : cells) line += cell.character;
    line.erase(line.find_last_not_of(' ') + 1);
    out += line + "\n";
  }
  while (out.ends_with("\n\n")) out.pop_back();
  return out == "\n" ? "" : out;
}

}  // namespace yume::test
