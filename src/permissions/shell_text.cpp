// SPDX-License-Identifier: MIT
#include "permissions/shell_text.h"

#include "permissions/name_folding.h"
#include "permissions/shell_reader.h"

#include <algorithm>
#include <array>

namespace yume::permissions {
namespace {

// Words of the shell's grammar that stand in front of a command.
constexpr std::array<std::string_view, 12> k_before_commands = {
    "if", "then", "elif", "else", "while", "until", "do", "!", "{", "}", "fi", "done"};

// Builtins whose arguments are code, or that change what later words mean.
constexpr std::array<std::string_view, 21> k_code_builtins = {
    "eval",  "source",  ".",         "trap", "alias",    "coproc",  "enable",
    "shopt", "bind",    "hash",      "[[",   "function", "case",    "select",
    "esac",  "mapfile", "readarray", "let",  "declare",  "typeset", "local"};

// Run another builtin.
constexpr std::array<std::string_view, 3> k_builtin_runners = {"command", "builtin", "exec"};

// Take names of variables, in which `a[$(id)]` runs id.
constexpr std::array<std::string_view, 9> k_name_builtins = {
    "test", "[", "printf", "read", "unset", "export", "readonly", "getopts", "wait"};

bool among(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// `if make; then ls; fi`: the commands are `make` and `ls`.
void drop_grammar_words(SimpleCommand& command) {
  auto& words = command.words;
  while (!words.empty() && !words.front().quoted && among(k_before_commands, words.front().text)) {
    words.erase(words.begin());
  }
}

bool names_with_code(const std::vector<ShellWord>& words) {
  return std::any_of(words.begin() + 1, words.end(), [](const ShellWord& word) {
    const std::size_t bracket = word.text.find('[');
    return bracket != std::string::npos && bracket > 0 &&
           word.text.find(']', bracket) != std::string::npos;
  });
}

void note_code(const SimpleCommand& command, ShellText& shell) {
  if (shell.opaque || command.words.empty()) return;
  auto first = command.words.begin();
  while (first + 1 != command.words.end() &&
         (among(k_builtin_runners, first->text) || first->text.starts_with('-'))) {
    ++first;
  }
  if (!first->literal || first->tilde) {
    shell.opaque = "which program runs is known only when it runs";
  } else if (among(k_code_builtins, first->text)) {
    shell.opaque = "'" + first->text + "' takes code";
  } else if (among(k_name_builtins, first->text) && names_with_code({first, command.words.end()})) {
    shell.opaque = "'" + first->text + "' takes names with code in them";
  }
}

}  // namespace

ShellText read_shell_text(std::string_view text) {
  ShellText shell;
  if (text.size() > k_longest_command) {
    shell.opaque = "it is longer than 10,000 characters";
  }
  if (has_hidden_characters(text)) shell.opaque = "it has characters that cannot be seen";
  ShellReader(text, shell).read();
  for (SimpleCommand& command : shell.commands) {
    drop_grammar_words(command);
    note_code(command, shell);
  }
  std::erase_if(shell.commands, [](const SimpleCommand& command) { return command.empty(); });
  return shell;
}

std::string plain_text(const ShellText& shell) {
  std::string out;
  for (const SimpleCommand& command : shell.commands) {
    if (!out.empty()) out += "; ";
    std::string_view between;
    const auto add = [&](std::string_view prefix, const std::string& text) {
      out.append(between).append(prefix).append(text);
      between = " ";
    };
    for (const auto& [name, value] : command.assignments) add(name + "=", value.text);
    for (const ShellWord& word : command.words) add("", word.text);
    for (const Redirect& redirect : command.redirects) {
      add(redirect.kind == RedirectKind::writes ? "> " : "< ", redirect.target.text);
    }
  }
  return out;
}

}  // namespace yume::permissions
