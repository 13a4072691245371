// SPDX-License-Identifier: MIT
#include "permissions/shell_variables.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

namespace yume::permissions {
namespace {

constexpr std::size_t k_most_values = 64;
constexpr int k_deepest = 4;
// A new file or folder has a name that nothing else has. `..` behind it leads to what is vital.
constexpr std::string_view k_new_file = "/tmp/new";

// Builtins that give values to variables, or run code that does.
constexpr std::array<std::string_view, 22> k_setters = {
    "eval", "source",  ".",       "trap",    "alias",     "coproc", "let",      "function",
    "read", "declare", "local",   "typeset", "export",    "select", "readonly", "unset",
    "wait", "mapfile", "getopts", "set",     "readarray", "builtin"};

bool sets_variables(const std::vector<ShellWord>& words) {
  const auto is_setter = [](const ShellWord& word) {
    return std::find(k_setters.begin(), k_setters.end(), word.text) != k_setters.end();
  };
  const std::string& first = words.front().text;
  if (first != "printf" && first != "command") return is_setter(words.front());
  return std::any_of(words.begin(), words.end(), [&](const ShellWord& word) {
    return word.text.starts_with("-v") || is_setter(word);
  });
}

bool is_name_character(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

struct Reference {
  std::size_t begin;
  std::size_t end;
  std::string_view name;
};

// The first `$name` or `${name}` from `from` on. Other forms (`${x%y}`, `$1`) have no name.
std::optional<Reference> next_reference(std::string_view text, std::size_t from) {
  const std::size_t dollar = text.find('$', from);
  if (dollar == std::string_view::npos) return std::nullopt;
  const bool braced = dollar + 1 < text.size() && text[dollar + 1] == '{';
  const std::size_t begin = dollar + (braced ? 2 : 1);
  std::size_t end = begin;
  while (end < text.size() && is_name_character(text[end])) ++end;
  const std::string_view name = text.substr(begin, end - begin);
  if (!braced) return Reference{dollar, end, name};
  const bool plain = end < text.size() && text[end] == '}';
  return Reference{dollar, plain ? end + 1 : begin, plain ? name : std::string_view{}};
}

// `${x:=~}`, `x+=y`, `x[0]=y`
bool sets_inside(const ShellWord& word) {
  const std::string& text = word.text;
  return (!word.literal && text.find("${") != std::string::npos &&
          text.find('=') != std::string::npos) ||
         text.find("+=") != std::string::npos || text.find("]=") != std::string::npos;
}

bool is_new_file(const ShellWord& value, const SimpleCommand& command,
                 const SimpleCommand* before) {
  const bool one_substitution = value.text == "$" && before != nullptr &&
                                before->joint == Joint::first && before->depth > command.depth;
  return one_substitution && !before->words.empty() && before->words.front().literal &&
         before->words.front().text == "mktemp" && command.assignments.size() == 1;
}

// Without quotes the shell makes several words of a value with blanks.
void add_split(const ShellWord& word, std::vector<ShellWord>& out) {
  out.push_back(word);
  constexpr std::string_view k_blanks = " \t\n";
  for (std::size_t at = word.text.find_first_not_of(k_blanks); at != std::string::npos;) {
    const std::size_t end = std::min(word.text.find_first_of(k_blanks, at), word.text.size());
    if (end - at == word.text.size()) return;
    ShellWord piece = word;
    piece.text = word.text.substr(at, end - at);
    piece.literal = false;
    out.push_back(std::move(piece));
    at = word.text.find_first_not_of(k_blanks, end);
  }
}

}  // namespace

ShellVariables::ShellVariables(const ShellText& shell) {
  const SimpleCommand* before = nullptr;
  for (const SimpleCommand& command : shell.commands) {
    read(command, before);
    before = &command;
  }
  if (nothing_is_known_ || values_.contains("IFS")) values_.clear();
}

void ShellVariables::read(const SimpleCommand& command, const SimpleCommand* before) {
  for (const auto& [name, value] : command.assignments) {
    const bool is_new = is_new_file(value, command, before);
    set(name, is_new ? ShellWord{.text = std::string(k_new_file)} : value);
    nothing_is_known_ |= sets_inside(value);
  }
  nothing_is_known_ |= std::any_of(command.words.begin(), command.words.end(), sets_inside);
  if (command.words.empty()) return;
  nothing_is_known_ |= sets_variables(command.words);
  if (command.words.front().text != "for") return;
  if (command.words.size() < 3 || command.words[2].text != "in") {
    nothing_is_known_ = true;
    return;
  }
  for (std::size_t i = 3; i < command.words.size(); ++i) {
    set(command.words[1].text, command.words[i]);
  }
}

std::vector<ShellWord> ShellVariables::values_of(const ShellWord& word) const {
  if (word.literal || values_.empty()) return {word};
  std::vector<ShellWord> out;
  replace_in(word, /*depth=*/0, out);
  // Too many to tell: as unknown as before.
  return out.size() > k_most_values ? std::vector{word} : out;
}

void ShellVariables::replace_in(const ShellWord& word, int depth,
                                std::vector<ShellWord>& out) const {
  if (out.size() > k_most_values) return;
  for (auto one = next_reference(word.text, 0); one && depth < k_deepest;
       one = next_reference(word.text, one->end)) {
    const auto known = values_.find(one->name);
    if (known == values_.end()) continue;
    for (const ShellWord& value : known->second) {
      ShellWord replaced = word;
      replaced.text.replace(one->begin, one->end - one->begin, value.text);
      replaced.tilde = one->begin == 0 ? value.tilde : word.tilde;
      // Patterns in a value are matched like those in the word.
      replaced.literal =
          value.literal && replaced.text.find_first_of("$*?[{`") == std::string::npos;
      replace_in(replaced, depth + 1, out);
    }
    return;
  }
  add_split(word, out);
}

}  // namespace yume::permissions
