// SPDX-License-Identifier: MIT
#include "permissions/command_spellings.h"

#include "permissions/command_words.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace yume::permissions {
namespace {

using Words = std::vector<ShellWord>;

bool is_flag(const ShellWord& word) {
  return word.text.size() > 1 && word.text.starts_with('-');
}

Words with_rest(const Words& words, std::size_t first, std::vector<std::string_view> beginning) {
  Words out;
  for (const std::string_view text : beginning) out.push_back({.text = std::string(text)});
  out.insert(out.end(), words.begin() + static_cast<std::ptrdiff_t>(first), words.end());
  return out;
}

// `docker --context x run y`: whether `x` belongs to the flag or is the verb, only docker knows.
void add_without_flags(const Words& words, std::vector<Words>& out) {
  constexpr std::size_t k_most = 12;
  if (words.size() < 2 || !is_flag(words[1])) return;
  for (std::size_t i = 1; i < std::min(words.size(), k_most); ++i) {
    if (is_flag(words[i])) continue;
    out.push_back(with_rest(words, i, {program_name(words.front())}));
    // Behind the verb, or behind what may be the value of a flag.
    if (!is_flag(words[i - 1])) return;
  }
}

// `git -c alias.p=push p`: what the alias stands for.
void add_aliases(const Words& words, std::vector<Words>& out) {
  constexpr std::size_t k_most = 12;
  for (std::size_t i = 0; i < std::min(words.size(), k_most); ++i) {
    const std::string_view text = words[i].text;
    const std::size_t alias = text.find("alias.");
    const std::size_t equals = text.find('=');
    if (alias == std::string_view::npos || equals == std::string_view::npos || equals < alias) {
      continue;
    }
    out.push_back(with_rest(words, i + 1, {"git", text.substr(equals + 1)}));
  }
}

bool has_letter(const Words& words, std::string_view letters, std::string_view long_name) {
  return std::any_of(words.begin(), words.end(), [&](const ShellWord& word) {
    const std::string_view text = word.text;
    if (text.starts_with("--")) return text.size() > 2 && long_name.starts_with(text);
    return is_flag(word) && text.find_first_of(letters) != std::string_view::npos;
  });
}

// The two flags of `rm` in the ways in which people write them.
void add_removals(const Words& words, std::vector<Words>& out) {
  if (program_name(words.front()) != "rm") return;
  if (!has_letter(words, "rR", "--recursive") || !has_letter(words, "f", "--force")) return;
  Words operands;
  std::copy_if(words.begin() + 1, words.end(), std::back_inserter(operands),
               [](const ShellWord& word) { return !is_flag(word); });
  const std::vector<std::vector<std::string_view>> beginnings = {
      {"rm", "-rf"}, {"rm", "-fr"}, {"rm", "-r", "-f"}, {"rm", "-f", "-r"}};
  for (const auto& beginning : beginnings) out.push_back(with_rest(operands, 0, beginning));
}

}  // namespace

std::vector<Words> other_spellings(const Words& given) {
  std::vector<Words> out;
  const Words words = without_wrappers(given);
  if (words.empty()) return out;
  if (Words plain = without_git_options(given); plain.size() < given.size()) {
    out.push_back(std::move(plain));
  }
  const std::string name = program_name(words.front());
  if (name.starts_with("git-")) {
    out.push_back(with_rest(words, 1, {"git", std::string_view(name).substr(4)}));
  }
  if (name == "git") add_aliases(words, out);
  add_without_flags(words, out);
  add_removals(words, out);
  return out;
}

}  // namespace yume::permissions
