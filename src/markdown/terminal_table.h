// SPDX-License-Identifier: MIT
// A table as lines of a terminal: columns as wide as they need to be, cells broken where there is
// no room, and row by row where there is far too little. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "markdown/document.h"
#include "markdown/terminal_look.h"

namespace yume::markdown {

// The first rows alone decide, so that a table can be shown before its end is known.
inline constexpr std::size_t k_rows_that_decide = 128;

struct TableLayout {
  std::size_t room = 80;  // columns of the terminal
  const TerminalLook& look;
  bool goes_on = false;                   // its beginning was shown before,
  std::vector<std::size_t> columns = {};  // in these columns
};

// `columns`: how wide each one is; empty where there is no room for them side by side.
struct TableText {
  std::vector<std::string> lines;
  std::vector<std::size_t> columns;
};
TableText table_text(const Block& table, const TableLayout& layout);

}  // namespace yume::markdown
