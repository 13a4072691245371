// SPDX-License-Identifier: MIT
// The byte machine behind read_shell_text(): quotes, operators, words. Only that function uses it.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "permissions/shell_text.h"

namespace yume::permissions {

class ShellReader {
 public:
  ShellReader(std::string_view text, ShellText& out) : text_(text), out_(out) {}
  void read();

 private:
  // Everything that a substitution puts aside until it is closed.
  struct State {
    SimpleCommand command;
    ShellWord word;
    bool in_word = false;
    bool in_quotes = false;                // double ones
    bool brace = false;                    // an unquoted `{` is in the word
    bool bracket = false;                  // an unquoted `[` is in the word
    std::optional<RedirectKind> redirect;  // the next word is its target
    bool skips_word = false;               // the next word is no argument: a delimiter
    char closer = '\0';                    // what ends it: `)`, a backtick, or nothing
  };

  [[nodiscard]] char peek(std::size_t ahead = 0) const {
    return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0';
  }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }

  void step_plain();
  void step_quoted();
  void step_separator();
  void step_redirect();
  void step_dollar();
  void step_backslash();
  void step_open();
  void step_close(char closer);
  void read_single_quotes();
  void read_ansi_quotes();
  void read_word_character(char c);
  void skip_comment();

  void open(char closer);
  void put(char c);
  void begin_word();
  void end_word();
  void place(ShellWord word);
  void end_command(Joint next);
  void note(std::string_view why);

  std::string_view text_;
  ShellText& out_;
  std::size_t at_ = 0;
  State now_;
  std::vector<State> outer_;
};

}  // namespace yume::permissions
