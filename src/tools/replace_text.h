// SPDX-License-Identifier: MIT
// The heart of Edit: exact replacement on bytes. Pure. Everything that is not the matched text
// stays byte for byte, line endings included.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace yume::tools {

struct Replacement {
  std::string_view old_text;
  std::string_view new_text;
  bool all = false;
};

struct ReplacedText {
  std::string content;
  std::size_t matches = 0;
};
struct NotFound {};
struct Ambiguous {
  std::size_t matches = 0;
  std::vector<std::size_t> lines;  // where the first few begin, counted from 1
};

// Text given with LF matches CRLF and CR endings too, in a file with both kinds each of them, and
// the new text gets the endings of what it replaces (line_endings.h).
std::variant<ReplacedText, NotFound, Ambiguous> replace_text(std::string_view content,
                                                             const Replacement& replacement);

}  // namespace yume::tools
