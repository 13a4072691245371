// SPDX-License-Identifier: MIT
// The commands of `Bash(...)`. Without a `*` the exact text; `*` stands for anything, spaces too; a
// final ` *` or `:*` ends at a word: `git diff:*` matches `git diff x`, not `git difftool`. Pure;
// takes time in proportion to pattern times text, whatever they are.
#pragma once

#include <string>
#include <string_view>

namespace yume::permissions {

class CommandPattern {
 public:
  explicit CommandPattern(std::string_view spec);

  // The whole text, from its beginning to its end: what an allow rule needs.
  [[nodiscard]] bool covers(std::string_view command) const;
  // Anywhere that a command may begin, even inside quotes and other words: what a denial needs.
  [[nodiscard]] bool found_in(std::string_view text) const;
  [[nodiscard]] bool is_exact() const { return exact_; }

 private:
  enum class Start { beginning, any_word };
  [[nodiscard]] bool run(std::string_view text, Start start) const;

  std::string pattern_;        // runs of blanks are one space
  bool ends_at_word_ = false;  // what follows the pattern is free, but begins a new word
  bool exact_ = false;
};

// Runs of blanks as one space, none at the ends.
std::string single_spaced(std::string_view text);

}  // namespace yume::permissions
