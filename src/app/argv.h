// SPDX-License-Identifier: MIT
// The grammar of the command line: which token is a flag, a value or the prompt. Follows the rules
// of Claude's parser, because hosts rely on them: `--k v`, `--k=v`, empty values, both spellings
// (camelCase and kebab-case), lists that end at the next dash, `--`. Unknown flags are no error.
// Written by hand because CLI11 refuses a value that begins with a dash and a switch with `=`.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "util/result.h"

namespace yume::app {

enum class ValueKind {
  none,      // a switch; `--switch=false` turns it off
  one,       // takes the next token, whatever it looks like
  optional,  // takes the next token unless it begins with a dash
  list,      // takes tokens up to the next one that begins with a dash
};

struct FlagSpec {
  std::string_view name;   // kebab-case, without dashes
  char short_name = '\0';  // '\0': none
  ValueKind kind = ValueKind::none;
  std::string_view value_name = {};  // for help and messages
  std::string_view group = {};       // for help; empty: accepted, but not shown
  std::string_view help = {};
  std::string_view choices = {};  // what a value can be, with blanks between; empty: anything
};

// Every flag this program knows, in the order of the help text.
const std::vector<FlagSpec>& known_flags();

// The flag that a token such as `--allowedTools`, `--allowed-tools=x` or `-p` names; nullptr: none
// of `flags`.
const FlagSpec* find_flag(const std::vector<FlagSpec>& flags, std::string_view token);

class Arguments {
 public:
  [[nodiscard]] bool has(std::string_view flag) const { return values_.contains(flag); }
  // A switch that is on.
  [[nodiscard]] bool on(std::string_view flag) const;
  // The last value given; nullopt when the flag is absent or came without one.
  [[nodiscard]] std::optional<std::string> value(std::string_view flag) const;
  // Every value of every occurrence.
  [[nodiscard]] std::vector<std::string> list(std::string_view flag) const;
  [[nodiscard]] const std::vector<std::string>& positionals() const { return positionals_; }
  // A word that was taken for an unknown flag's value, but may have been the prompt after all.
  [[nodiscard]] const std::optional<std::string>& doubtful_word() const { return doubtful_word_; }
  // Flags that nobody here knows, as they were written.
  [[nodiscard]] const std::vector<std::string>& unknown_flags() const { return unknown_flags_; }

 private:
  friend Result<Arguments> parse_arguments(const std::vector<std::string>& tokens);
  friend class StrictParser;  // of subcommands
  friend class GeminiParser;  // of another face

  std::map<std::string, std::vector<std::string>, std::less<>> values_;
  std::vector<std::string> positionals_;
  std::optional<std::string> doubtful_word_;
  std::vector<std::string> unknown_flags_;
};

// `tokens` without the program's name. The only error: a value is missing at the end.
Result<Arguments> parse_arguments(const std::vector<std::string>& tokens);

}  // namespace yume::app
