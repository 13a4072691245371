// SPDX-License-Identifier: MIT
// The heart of Edit: exact replacement on bytes. Pure. Everything that is not the matched text
// stays byte for byte, line endings included.
#pragma once

#include <string>
#include <string_view>
#include <variant>

namespace yume::tools {

struct Replacement {
  std::string_view old_text;
  std::string_view new_text;
  bool all = false;
};

struct NotFound {};
struct Ambiguous {
  std::size_t matches = 0;
};

// In a file with CRLF endings, text given with LF matches and is written with CRLF.
std::variant<std::string, NotFound, Ambiguous> replace_text(std::string_view content,
                                                            const Replacement& replacement);

}  // namespace yume::tools
