// SPDX-License-Identifier: MIT
// Programs that only read, with the flags that keep them so. What is not listed is not allowed:
// no abbreviations, no other programs. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume::permissions {

enum class Operands {
  none,
  text,               // printed or computed with, never opened
  files,              // all are opened
  pattern_and_files,  // the first is a pattern unless a flag gives one
  one_file,
};

enum class FlagStyle {
  bundles,  // `-la`, `-n5`
  single,   // one letter a word: the program reads bundles in a way of its own
};

struct ReadOnlyProgram {
  std::string_view name;
  // " -a -n: --lines: --color[=] ": `:` takes a value, `[=]` may take one behind `=`, `@` takes the
  // name of a file that is read, `!` a value that is the pattern.
  std::string_view flags;
  Operands operands = Operands::files;
  bool number_flags = false;       // `-5`
  bool whole_directories = false;  // reads what is in them, when told to by -r or always
  FlagStyle flag_style = FlagStyle::bundles;
};

const ReadOnlyProgram* find_read_only_program(std::string_view name);

// Words sorted into flags and operands by that table.
struct SortedWords {
  std::vector<std::string> operands;
  std::vector<std::string> files;  // values of flags that are opened
  std::vector<std::string> flags;  // without their values; bundles taken apart
  bool has_pattern = false;        // given by a flag
};
// nullopt when a flag is not in the list. `words` are those behind the program's name.
std::optional<SortedWords> sort_words(const std::vector<std::string>& words, std::string_view flags,
                                      bool number_flags, FlagStyle flag_style = FlagStyle::bundles);

}  // namespace yume::permissions
