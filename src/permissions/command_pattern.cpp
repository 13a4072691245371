// SPDX-License-Identifier: MIT
#include "permissions/command_pattern.h"

#include <algorithm>
#include <vector>

namespace yume::permissions {
namespace {

bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

// Of a program's or a file's name: `my-curl` and `curl.py` are not `curl`.
bool is_word_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '+' || byte >= 0x80;
}

// Where one command may end and another, or a quote, begins.
bool is_border(char c) {
  return std::string_view(";|&()<>`'\"{}\n").find(c) != std::string_view::npos;
}

// Whether all that stands between the stars is in the text, one behind the other: nearly every text
// can be told apart by that.
bool has_pieces(std::string_view text, std::string_view pattern) {
  std::size_t from = 0;
  for (std::size_t at = 0; at <= pattern.size();) {
    const std::size_t star = std::min(pattern.find('*', at), pattern.size());
    const std::size_t found = text.find(pattern.substr(at, star - at), from);
    if (found == std::string_view::npos) return false;
    from = found + star - at;
    at = star + 1;
  }
  return true;
}

bool command_ends(std::string_view rest) {
  const std::size_t next = rest.find_first_not_of(" \t\r");
  return next == std::string_view::npos || is_border(rest[next]);
}

}  // namespace

std::string single_spaced(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (!is_blank(c)) {
      out.push_back(c);
    } else if (!out.empty() && out.back() != ' ') {
      out.push_back(' ');
    }
  }
  while (out.ends_with(' ')) out.pop_back();
  return out;
}

CommandPattern::CommandPattern(std::string_view spec) {
  for (const std::string_view ending : {":*", " *"}) {
    if (ends_at_word_ || !spec.ends_with(ending)) continue;
    spec.remove_suffix(ending.size());
    ends_at_word_ = true;
  }
  pattern_ = single_spaced(spec);
  exact_ = !ends_at_word_ && pattern_.find('*') == std::string::npos;
}

// A state machine whose states are the pattern's characters: `reached[i]` says that the first i
// match what was read so far.
bool CommandPattern::run(std::string_view text, Start start) const {
  if (!has_pieces(text, pattern_)) return false;
  const std::size_t length = pattern_.size();
  std::vector<char> reached(length + 1, 0);
  std::vector<char> next(length + 1, 0);
  const auto skip_stars = [&](std::vector<char>& states) {
    for (std::size_t i = 0; i < length; ++i) {
      if (states[i] != 0 && pattern_[i] == '*') states[i + 1] = 1;
    }
  };
  for (std::size_t at = 0;; ++at) {
    const bool word_begins = at == 0 || !is_word_character(text[at - 1]);
    if (at == 0 || (start == Start::any_word && word_begins)) {
      reached[0] = 1;
      skip_stars(reached);
    }
    if (reached[length] != 0) {
      const std::string_view rest = text.substr(at);
      const bool word_ends = rest.empty() || !is_word_character(rest.front());
      if (ends_at_word_ &&
          (start == Start::any_word ? word_ends : rest.empty() || rest[0] == ' ')) {
        return true;
      }
      if (!ends_at_word_ && (start == Start::any_word ? command_ends(rest) : rest.empty())) {
        return true;
      }
    }
    if (at == text.size()) return false;
    std::fill(next.begin(), next.end(), 0);
    for (std::size_t i = 0; i < length; ++i) {
      if (reached[i] == 0) continue;
      if (pattern_[i] == '*') next[i] = 1;
      if (pattern_[i] == text[at]) next[i + 1] = 1;
    }
    reached.swap(next);
    skip_stars(reached);
  }
}

bool CommandPattern::covers(std::string_view command) const {
  return run(single_spaced(command), Start::beginning);
}

bool CommandPattern::found_in(std::string_view text) const {
  return run(text, Start::any_word) || run(single_spaced(text), Start::any_word);
}

}  // namespace yume::permissions
