// SPDX-License-Identifier: MIT
#include "permissions/command_facts.h"

#include "permissions/command_spellings.h"
#include "permissions/command_words.h"
#include "permissions/critical_removal.h"
#include "permissions/hidden_code.h"

#include <algorithm>
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

// `bash -c '...'`, also behind `timeout` or `find -exec`: its commands are commands of the text.
void add_nested(ShellText& shell, int depth) {
  constexpr int k_deepest = 3;
  if (depth == k_deepest) return;
  ShellText inner;
  for (const SimpleCommand& command : shell.commands) {
    for (const std::string& code : shell_code_in(command)) {
      ShellText one = read_shell_text(code);
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

// Code inside of a command, and code inside of that.
class CodeReader {
 public:
  // What rules are compared with: the words, those of the same command as others would write it,
  // and those of words that may be code for something else: `git -c alias.x='!cu""rl'`.
  std::string plain(const ShellText& shell, int depth = 0) {
    std::string out = plain_text(shell);
    ShellText others;
    for (const SimpleCommand& command : shell.commands) {
      for (Words& words : other_spellings(command.words)) {
        others.commands.push_back({.words = std::move(words)});
      }
    }
    if (!others.commands.empty()) out += "; " + plain_text(others);
    for_all_code(shell, depth,
                 [&](const ShellText& code) { out += "; " + plain(code, depth + 1); });
    return out;
  }

  // The same code for names of files: `awk 'BEGIN { system("cat .e\"\"nv") }'`.
  void collect(const ShellText& shell, ShellText& out, int depth = 0) {
    for_all_code(shell, depth, [&](const ShellText& code) {
      collect(code, out, depth + 1);
      out.commands.insert(out.commands.end(), code.commands.begin(), code.commands.end());
    });
  }

  [[nodiscard]] bool had_too_much() const { return left_ == 0; }

 private:
  template <class Visit>
  void for_all_code(const ShellText& shell, int depth, const Visit& visit) {
    constexpr int k_deepest = 2;
    if (depth == k_deepest) return;
    for (const SimpleCommand& command : shell.commands) {
      for (const std::string& code : code_in(command)) {
        left_ -= std::min(left_, code.size());
        if (left_ == 0) return;
        visit(read_shell_text(code));
      }
    }
  }

  std::size_t left_ = std::size_t{64} << 10U;
};

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

// `diff -N . src` reads what lies in both.
std::vector<fs::path> compared_folders(const ShellText& shell, const MentionedPaths& mentioned,
                                       const ShellPlaces& places, const FolderCheck& is_folder) {
  std::vector<fs::path> folders;
  for (const SimpleCommand& command : shell.commands) {
    const bool compares =
        std::any_of(command.words.begin(), command.words.end(),
                    [](const ShellWord& word) { return program_name(word) == "diff"; });
    if (!compares) continue;
    for (const ShellWord& word : command.words) {
      if (word.text.starts_with('-')) continue;
      for (const fs::path& directory : mentioned.directories) {
        fs::path path = path_of_word(word.text, {.cwd = directory, .home = places.home});
        if (!is_folder || is_folder(path)) folders.push_back(std::move(path));
      }
    }
  }
  return folders;
}

bool any_command(const ShellText& shell, bool (*is_such)(const std::vector<ShellWord>&)) {
  return std::any_of(shell.commands.begin(), shell.commands.end(),
                     [is_such](const SimpleCommand& one) { return is_such(one.words); });
}

}  // namespace

CommandFacts command_facts(std::string_view command, const ShellPlaces& places,
                           const FileNames& names, const FolderCheck& is_folder) {
  CommandFacts facts{.text = std::string(command), .shell = read_shell_text(command)};
  facts.removes_vital = removes_something_vital(facts.shell, places.cwd, places.home, names);
  facts.read_only = prove_read_only(command, places.cwd);
  facts.file_change = prove_file_change(command, places.cwd);
  add_nested(facts.shell, /*depth=*/0);
  CodeReader code;
  facts.plain = code.plain(facts.shell);
  ShellText named = facts.shell;
  CodeReader named_code;
  named_code.collect(facts.shell, named);
  const MentionedPaths mentioned = mentioned_paths(named, places);
  const auto note = [&facts](bool holds, const char* why) {
    if (holds && !facts.shell.opaque) facts.shell.opaque = why;
  };
  note(!mentioned.complete, "it names too many files");
  note(code.had_too_much() || named_code.had_too_much(), "it has too much code in its words");
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
  for (const fs::path& folder : compared_folders(facts.shell, mentioned, places, is_folder)) {
    add_names(folder, names, facts.directories);
  }
  facts.lists_directories = any_command(facts.shell, lists_whole_directories);
  const auto any = [&facts](const auto& is_such) {
    return std::any_of(facts.shell.commands.begin(), facts.shell.commands.end(), is_such);
  };
  note(any_command(facts.shell, takes_words_from_input), "some of its words come from its input");
  note(any(reads_code_from_input), "a shell in it reads its commands from its input");
  note(any(runs_what_it_finds), "which program runs is known only when it runs");
  return facts;
}

}  // namespace yume::permissions
