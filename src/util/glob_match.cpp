// SPDX-License-Identifier: MIT
#include "util/glob_match.h"

#include <cstddef>
#include <vector>

namespace yume {
namespace {

enum class Kind { literal, any_one, any_in_component, any, optional_directories };

struct Token {
  Kind kind;
  char literal = '\0';
};

std::vector<Token> tokenise(std::string_view pattern) {
  std::vector<Token> tokens;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    if (pattern[i] == '?') {
      tokens.push_back({Kind::any_one});
    } else if (pattern[i] != '*') {
      tokens.push_back({Kind::literal, pattern[i]});
    } else if (i + 1 >= pattern.size() || pattern[i + 1] != '*') {
      tokens.push_back({Kind::any_in_component});
    } else {
      while (i + 1 < pattern.size() && pattern[i + 1] == '*') ++i;
      const bool directory = i + 1 < pattern.size() && pattern[i + 1] == '/';
      if (directory) ++i;
      tokens.push_back({directory ? Kind::optional_directories : Kind::any});
    }
  }
  return tokens;
}

}  // namespace

bool glob_match(std::string_view pattern, std::string_view path) {
  const std::vector<Token> tokens = tokenise(pattern);
  // reach[i]: the first i tokens match the text so far. One pass over the text, one over the
  // tokens.
  std::vector<char> reach(tokens.size() + 1, 0);
  const auto skip_empty = [&tokens](std::vector<char>& set, bool at_component_start) {
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (set[i] == 0) continue;
      const Kind kind = tokens[i].kind;
      if (kind == Kind::any || kind == Kind::any_in_component ||
          (kind == Kind::optional_directories && at_component_start)) {
        set[i + 1] = 1;
      }
    }
  };
  reach[0] = 1;
  skip_empty(reach, true);
  for (const char c : path) {
    std::vector<char> next(reach.size(), 0);
    for (std::size_t i = 0; i < tokens.size(); ++i) {
      if (reach[i] == 0) continue;
      switch (tokens[i].kind) {
        case Kind::literal:
          if (c == tokens[i].literal) next[i + 1] = 1;
          break;
        case Kind::any_one:
          if (c != '/') next[i + 1] = 1;
          break;
        case Kind::any_in_component:
          if (c != '/') next[i] = 1;
          break;
        case Kind::any:
        case Kind::optional_directories:
          next[i] = 1;
          break;
      }
    }
    reach = std::move(next);
    skip_empty(reach, c == '/');
  }
  return reach[tokens.size()] != 0;
}

bool wildcard_match(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;
  std::size_t resume = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      resume = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p;
      ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++resume;
    } else {
      return false;
    }
  }
  while (p < pattern.size() && pattern[p] == '*') ++p;
  return p == pattern.size();
}

}  // namespace yume
