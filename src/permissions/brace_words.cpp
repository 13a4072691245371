// SPDX-License-Identifier: MIT
#include "permissions/brace_words.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace yume::permissions {
namespace {

constexpr std::size_t k_most_words = 64;
constexpr std::size_t k_longest_word = 1024;  // what is longer stays as it is

// The alternatives between the braces that open at `open`, and where they close.
struct Group {
  std::vector<std::string_view> alternatives = {};
  std::size_t close = std::string_view::npos;
};

Group group_at(std::string_view text, std::size_t open) {
  Group group;
  int depth = 0;
  std::size_t from = open + 1;
  for (std::size_t at = open; at < text.size(); ++at) {
    if (text[at] == '{') ++depth;
    const bool ends = text[at] == '}' && --depth == 0;
    if (ends || (text[at] == ',' && depth == 1)) {
      group.alternatives.push_back(text.substr(from, at - from));
      from = at + 1;
    }
    if (ends) {
      group.close = at;
      return group;
    }
  }
  return group;
}

std::size_t opening_brace(std::string_view text, std::size_t from) {
  std::size_t open = text.find('{', from);
  while (open != std::string_view::npos && open > 0 && text[open - 1] == '$') {
    open = text.find('{', open + 1);
  }
  return open;
}

// `a..c` and `1..3`; a sequence with steps, or a long one, is as unknown as a pattern.
std::vector<std::string> sequence_of(std::string_view text) {
  const std::size_t dots = text.find("..");
  const std::string_view first = text.substr(0, dots);
  const std::string_view last = text.substr(dots + 2);
  const bool one_each = first.size() == 1 && last.size() == 1 && first[0] <= last[0];
  const std::vector<std::string> unknown = {"*"};
  if (!one_each || last[0] - first[0] >= static_cast<int>(k_most_words)) return unknown;
  std::vector<std::string> out;
  for (char c = first[0]; c <= last[0]; ++c) out.emplace_back(1, c);
  return out;
}

void add_expanded(const ShellWord& word, std::vector<ShellWord>& out) {
  if (out.size() >= k_most_words) return;
  const std::string_view text = word.text;
  for (std::size_t open = opening_brace(text, 0); open != std::string_view::npos;
       open = opening_brace(text, open + 1)) {
    const Group group = group_at(text, open);
    if (group.close == std::string_view::npos) break;
    const bool sequence = group.alternatives.size() == 1 &&
                          group.alternatives.front().find("..") != std::string_view::npos;
    if (group.alternatives.size() == 1 && !sequence) continue;
    std::vector<std::string> alternatives{group.alternatives.begin(), group.alternatives.end()};
    if (sequence) alternatives = sequence_of(group.alternatives.front());
    for (const std::string& one : alternatives) {
      ShellWord piece = word;
      piece.text =
          std::string(text.substr(0, open)) + one + std::string(text.substr(group.close + 1));
      piece.tilde = piece.text.starts_with('~');
      piece.literal = piece.text.find_first_of("*?[$`{~") == std::string::npos;
      add_expanded(piece, out);
    }
    return;
  }
  out.push_back(word);
}

}  // namespace

SimpleCommand with_brace_words(const SimpleCommand& command) {
  const bool has_braces =
      std::any_of(command.words.begin(), command.words.end(), [](const ShellWord& word) {
        return !word.literal && word.text.find('{') != std::string::npos;
      });
  if (!has_braces) return command;
  SimpleCommand expanded = command;
  expanded.words.clear();
  for (const ShellWord& word : command.words) {
    std::vector<ShellWord> pieces;
    if (!word.literal && word.text.size() <= k_longest_word) add_expanded(word, pieces);
    // Nobody writes so many: left as it is, it is as unknown as a variable.
    if (pieces.empty() || pieces.size() >= k_most_words) pieces = {word};
    expanded.words.insert(expanded.words.end(), pieces.begin(), pieces.end());
  }
  return expanded;
}

}  // namespace yume::permissions
