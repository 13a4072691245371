// SPDX-License-Identifier: MIT
// Markdown that comes in pieces, for a terminal: what cannot change any more, as lines that are
// written once, and what still can. However a text is cut into pieces, the same lines come out.
// Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "markdown/terminal_look.h"
#include "markdown/terminal_text.h"

namespace yume::markdown {

class TerminalStream {
 public:
  explicit TerminalStream(const TerminalLook& look) : look_(look) {}

  // For what comes from now on.
  void set_columns(std::size_t columns) { look_.columns = columns; }

  // Lines with ends, that are final; may be none.
  std::string add(std::string_view text);
  // The rest. The next text is another one.
  std::string finish();
  // What has come and is not final, without ends. May change with each piece.
  [[nodiscard]] std::vector<std::string> open_lines() const;

 private:
  void end_line(std::string& out);
  void settle(std::string& out);
  void cut_inside(const std::vector<Block>& last, std::string& out);
  void cut_code(const std::vector<Block>& code, std::string& out);
  void cut_table(const std::vector<Block>& table, std::string& out);
  unsigned write(std::string_view source, std::string& out);
  unsigned write(const TerminalText& text, std::string& out);

  TerminalLook look_;
  std::string pending_;  // whole lines that are not final
  std::string line_;     // the one that still comes
  std::size_t due_ = 0;  // how much has to be pending before it is looked at
  bool any_ = false;     // something of this text is written
  Joint joint_;          // how what is pending goes on with that
};

}  // namespace yume::markdown
