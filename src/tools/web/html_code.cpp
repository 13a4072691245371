// SPDX-License-Identifier: MIT
#include "tools/web/html_code.h"

#include <algorithm>
#include <array>
#include <vector>

namespace yume::tools::web {
namespace {

constexpr std::size_t k_longest_name = 20;
constexpr std::size_t k_longest_fence = 64;

// How far above the <pre> a class still speaks of it: Sphinx wraps a whole table of line numbers,
// Rouge two boxes. Further up, "lang-en" is about the page.
struct Prefix {
  std::string_view text;
  int levels;
};
constexpr std::array<Prefix, 4> k_prefixes = {
    {{"language-", 3}, {"lang-", 0}, {"highlight-source-", 2}, {"highlight-", 8}}};
constexpr int k_most_levels = 8;

// In lower case; empty for what names no language.
std::string checked_name(std::string_view given) {
  constexpr std::array<std::string_view, 10> k_none = {
      "none", "default",     "plaintext", "code",    "source",
      "copy", "notranslate", "block",     "wrapper", "container"};
  std::string name(given);
  for (char& c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    const bool fits = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') ||
                      std::string_view("+#-_.").find(c) != std::string_view::npos;
    if (!fits) return {};
  }
  const bool is_none = std::find(k_none.begin(), k_none.end(), name) != k_none.end();
  return is_none || name.size() > k_longest_name ? std::string() : name;
}

// Prism and highlight.js write "language-x" or "lang-x", GitHub "highlight-source-x", Sphinx
// "highlight-x".
std::string name_after_prefix(std::string_view word, int level) {
  for (const Prefix& prefix : k_prefixes) {
    if (!word.starts_with(prefix.text)) continue;
    return level <= prefix.levels ? checked_name(word.substr(prefix.text.size())) : std::string();
  }
  return {};
}

// SyntaxHighlighter and MDN write "brush: x", pandoc "sourceCode x", Hexo "highlight x".
std::string name_after_word(std::string_view word, std::string_view next, GumboTag tag) {
  while (next.ends_with(';')) next.remove_suffix(1);
  const bool figure = word == "highlight" && tag == GUMBO_TAG_FIGURE;
  if (word != "brush:" && word != "sourceCode" && !figure) return {};
  return checked_name(next);
}

// `level`: how far above the <pre>; what is inside it is at 0, too.
std::string named_by(const GumboNode* node, int level) {
  if (!is_element(node)) return {};
  for (const char* name : {"data-lang", "data-language"}) {
    std::string found = level == 0 ? checked_name(attribute(node, name)) : std::string();
    if (!found.empty()) return found;
  }
  const auto words = classes_of(node);
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::string found = name_after_prefix(words[i], level);
    if (found.empty() && i + 1 < words.size()) {
      found = name_after_word(words[i], words[i + 1], tag_of(node));
    }
    if (!found.empty()) return found;
  }
  return {};
}

const GumboNode* first_code_in(const GumboNode* pre) {
  for (unsigned i = 0; i < children_of(pre).length; ++i) {
    if (tag_of(child(pre, i)) == GUMBO_TAG_CODE) return child(pre, i);
  }
  return nullptr;
}

// At most one less than the longest fence.
std::size_t longest_run_of_backticks(std::string_view text) {
  std::size_t longest = 0;
  for (std::size_t at = 0; (at = text.find('`', at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find_first_not_of('`', at), text.size());
    longest = std::max(longest, end - at);
    at = end;
  }
  return std::min(longest, k_longest_fence - 1);
}

}  // namespace

std::string code_language(const GumboNode* pre) {
  if (const GumboNode* code = first_code_in(pre)) {
    if (std::string found = named_by(code, 0); !found.empty()) return found;
  }
  const GumboNode* node = pre;
  for (int level = 0; level <= k_most_levels && node != nullptr; ++level, node = node->parent) {
    if (tag_of(node) == GUMBO_TAG_BODY) break;
    if (std::string found = named_by(node, level); !found.empty()) return found;
  }
  return {};
}

std::string block_fence(std::string_view code) {
  constexpr std::size_t k_shortest = 3;
  return std::string(std::max(k_shortest, longest_run_of_backticks(code) + 1), '`');
}

std::string inline_fence(std::string_view code) {
  return std::string(longest_run_of_backticks(code) + 1, '`');
}

}  // namespace yume::tools::web
