// SPDX-License-Identifier: MIT
// Line endings of text files: which a file has, and giving new text the endings of what it
// replaces. Models always write LF. Pure.
#pragma once

#include <string>
#include <string_view>

namespace yume::tools {

enum class LineEnds {
  none,   // a single line without an end
  lf,     // "\n" only
  crlf,   // "\r\n" only
  cr,     // "\r" only, as on old Macs
  mixed,  // "\n" and "\r\n"
};

LineEnds line_ends_of(std::string_view text);

// `given` with the line endings of `old`, the text it replaces:
// - a text that has a CR itself says what it wants and stays as it is;
// - where `old` has one kind of ending, every line gets it;
// - where `old` has both, a line that is in both texts keeps its ending, and a new line gets that
//   of the line it replaces or else of the line before it;
// - `otherwise` ("\n", "\r\n" or "\r") is for lines that have no such example.
std::string with_line_ends_of(std::string_view old, std::string_view given,
                              std::string_view otherwise);

}  // namespace yume::tools
