// SPDX-License-Identifier: MIT
// Markdown as lines of a terminal. Nothing in a text reaches it as a command. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/document.h"
#include "markdown/terminal_look.h"

namespace yume::markdown {

// Where one text goes on in which another ended.
struct Joint {
  enum class Kind { none, list, code, table };
  Kind kind = Kind::none;                 // of the block that goes on
  unsigned number = 0;                    // of the list's next item
  std::vector<std::size_t> columns = {};  // of the table: how wide each is
};

struct TerminalText {
  std::vector<std::string> lines;         // without ends
  unsigned next_number = 0;               // after the last list
  std::vector<std::size_t> columns = {};  // of the last table
};

// Every line fits the terminal but those of code, which are left to be copied as they are.
// `joint`: how the first block goes on with what was shown before.
TerminalText terminal_text(const std::vector<Block>& blocks, const TerminalLook& look,
                           const Joint& joint = {});

// A whole text, its lines with ends.
std::string terminal_text(std::string_view markdown, const TerminalLook& look);

}  // namespace yume::markdown
