// SPDX-License-Identifier: MIT
// One glob, compiled: `*` and `?` stay inside a component, `**` crosses, `[a-z]`, `[!a]`, `\x`, and
// `{a,b}` where asked for. What .gitignore, ripgrep's --glob and the Glob tool have in common.
// Matching takes at most (length of path)^2 x (length of pattern) steps, in practice one pass.
#pragma once

#include <bitset>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "util/result.h"

namespace yume::tools::search {

enum class Braces { alternatives, literal };

class GlobPattern {
 public:
  // Fails on an unclosed class or brace, a backslash at the end, or more than 10,000 alternatives.
  static Result<GlobPattern> compile(std::string_view text, Braces braces);

  // The whole of `path`, bytes with `/` between components.
  [[nodiscard]] bool matches(std::string_view path) const;

 private:
  enum class Kind { literal, any_one, any_in_component, one_of, directories, everything };
  struct Token {
    Kind kind = Kind::literal;
    char literal = '\0';
    std::size_t set = 0;  // of one_of: which
  };
  // Most globs are `name`, `*.ext` or `**/*.ext`: those are compared without the tokens.
  enum class Shape { name, suffix, deep_suffix, general };
  struct Alternative {
    Shape shape = Shape::general;
    std::string text;
    std::vector<Token> tokens;
  };

  Result<Alternative> compile_one(std::string_view text);
  Result<std::size_t> add_set(std::string_view text, std::size_t at);
  static void find_shape(Alternative& alternative);
  bool matches_tokens(const std::vector<Token>& tokens, std::string_view path) const;
  std::size_t step(const Token& token, std::string_view path, std::size_t at) const;

  std::vector<Alternative> alternatives_;
  std::vector<std::bitset<256>> sets_;
};

// `a{b,c}d` as `abd`, `acd`; nests. A backslash protects. Fails as compile does.
Result<std::vector<std::string>> expand_braces(std::string_view text);

}  // namespace yume::tools::search
