// SPDX-License-Identifier: MIT
#include "permissions/command_facts.h"

#include "permissions/command_words.h"
#include "permissions/critical_removal.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<ShellWord>;

void add_names(const fs::path& given, const FileNames& names, std::vector<fs::path>& out) {
  for (fs::path& name : all_names(given, names)) out.push_back(std::move(name));
}

bool runs_shell(const SimpleCommand& command) {
  constexpr std::array<std::string_view, 10> k_shells = {"sh",  "bash", "dash", "zsh", "ksh",
                                                         "ash", "fish", "csh",  "su",  "ssh"};
  return std::any_of(command.words.begin(), command.words.end(), [&](const ShellWord& word) {
    return std::find(k_shells.begin(), k_shells.end(), program_name(word)) != k_shells.end();
  });
}

// A word with blanks or quotes in it may be a command in the shell's own language.
bool could_be_code(const ShellWord& word) {
  return word.text.find_first_of(" \t\n;|&<>\"'\\$`") != std::string::npos;
}

// `bash -c '...'`, also behind `timeout` or `find -exec`: its commands are commands of the text.
void add_nested(ShellText& shell, int depth) {
  constexpr int k_deepest = 3;
  if (depth == k_deepest) return;
  ShellText inner;
  for (const SimpleCommand& command : shell.commands) {
    if (!runs_shell(command)) continue;
    for (const ShellWord& word : command.words) {
      if (!could_be_code(word)) continue;
      ShellText one = read_shell_text(word.text);
      add_nested(one, depth + 1);
      if (one.opaque && !inner.opaque) inner.opaque = one.opaque;
      std::move(one.commands.begin(), one.commands.end(), std::back_inserter(inner.commands));
    }
  }
  if (inner.opaque && !shell.opaque) shell.opaque = inner.opaque;
  for (SimpleCommand& command : inner.commands) {
    command.depth += 1;
    shell.commands.push_back(std::move(command));
  }
}

// What rules are compared with: the words, and those of words that may be code for something else,
// as in `git -c alias.x='!cu""rl'`.
std::string plain_with_code(const ShellText& shell, int depth) {
  constexpr int k_deepest = 2;
  std::string out = plain_text(shell);
  ShellText short_git;
  for (const SimpleCommand& command : shell.commands) {
    Words words = without_git_options(command.words);
    if (words.size() < command.words.size()) {
      short_git.commands.push_back({.words = std::move(words)});
    }
  }
  if (!short_git.commands.empty()) out += "; " + plain_text(short_git);
  if (depth == k_deepest) return out;
  for (const SimpleCommand& command : shell.commands) {
    for (const ShellWord& word : command.words) {
      if (!could_be_code(word)) continue;
      out += "; " + plain_with_code(read_shell_text(word.text), depth + 1);
    }
  }
  return out;
}

// `cp a b`, `tee x`: every operand may be changed. Those of `cp` that are only read, too.
void add_changed_files(const SimpleCommand& command, const ShellPlaces& places,
                       std::vector<fs::path>& out) {
  if (!changes_named_files(command.words)) return;
  const bool copies = program_name(command.words.front()) == "cp";
  for (std::size_t i = 1; i < command.words.size(); ++i) {
    const bool is_source = copies && i + 1 < command.words.size();
    std::string_view text = command.words[i].text;
    if (text.starts_with("of=")) text.remove_prefix(3);
    if (!text.starts_with('-') && !is_source) out.push_back(path_of_word(text, places));
  }
}

// From wherever a `cd` may have led.
std::vector<fs::path> changed_files(const ShellText& shell, const fs::path& home,
                                    const std::vector<fs::path>& directories) {
  std::vector<fs::path> out;
  for (const fs::path& directory : directories) {
    const ShellPlaces places{.cwd = directory, .home = home};
    for (fs::path& target : redirect_targets(shell, places, RedirectKind::writes)) {
      out.push_back(std::move(target));
    }
    for (const SimpleCommand& command : shell.commands) add_changed_files(command, places, out);
  }
  return out;
}

bool any_command(const ShellText& shell, bool (*is_such)(const std::vector<ShellWord>&)) {
  return std::any_of(shell.commands.begin(), shell.commands.end(),
                     [is_such](const SimpleCommand& one) { return is_such(one.words); });
}

}  // namespace

CommandFacts command_facts(std::string_view command, const ShellPlaces& places,
                           const FileNames& names) {
  CommandFacts facts{.text = std::string(command), .shell = read_shell_text(command)};
  facts.removes_vital = removes_something_vital(facts.shell, places.cwd, places.home);
  facts.read_only = prove_read_only(command, places.cwd);
  facts.file_change = prove_file_change(command, places.cwd);
  add_nested(facts.shell, /*depth=*/0);
  facts.plain = plain_with_code(facts.shell, /*depth=*/0);
  const MentionedPaths mentioned = mentioned_paths(facts.shell, places);
  if (!mentioned.complete && !facts.shell.opaque) facts.shell.opaque = "it names too many files";
  for (const fs::path& path : mentioned.paths) add_names(path, names, facts.mentioned);
  for (const fs::path& path : changed_files(facts.shell, places.home, mentioned.directories)) {
    add_names(path, names, facts.written);
  }
  for (const fs::path& path : redirect_targets(facts.shell, places, RedirectKind::reads)) {
    add_names(path, names, facts.read);
  }
  if (any_command(facts.shell, reads_whole_directories)) {
    facts.directories = facts.mentioned;
    add_names(places.cwd, names, facts.directories);
  }
  facts.lists_directories = any_command(facts.shell, lists_whole_directories);
  if (any_command(facts.shell, takes_words_from_input) && !facts.shell.opaque) {
    facts.shell.opaque = "some of its words come from its input";
  }
  return facts;
}

}  // namespace yume::permissions
