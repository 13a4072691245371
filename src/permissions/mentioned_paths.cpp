// SPDX-License-Identifier: MIT
#include "permissions/mentioned_paths.h"

#include "permissions/file_names.h"
#include "permissions/shell_variables.h"
#include "util/path_text.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <utility>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t k_most_paths = 4096;
constexpr std::size_t k_most_directories = 8;
constexpr std::size_t k_longest_path = 4096;

bool starts_with_variable(std::string_view word, std::string_view name, std::size_t& length) {
  for (const std::string& form : {"$" + std::string(name), "${" + std::string(name) + "}"}) {
    if (!word.starts_with(form)) continue;
    const std::string_view rest = word.substr(form.size());
    if (!rest.empty() && !rest.starts_with('/')) continue;
    length = form.size();
    return true;
  }
  return false;
}

// What may stand in a path that is written inside code or behind a flag.
bool is_path_character(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
         byte >= 0x80 || std::string_view("_-./~+%$").find(c) != std::string_view::npos;
}

// The word itself, and each piece of it that could be a path of its own.
std::vector<std::string_view> pieces_of(std::string_view word) {
  std::vector<std::string_view> pieces = {word};
  // `-f.env`, `-I../x`
  if (word.size() > 2 && word[0] == '-' && word[1] != '-') pieces.push_back(word.substr(2));
  for (std::size_t at = 0; at < word.size();) {
    if (!is_path_character(word[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < word.size() && is_path_character(word[end])) ++end;
    if (end - at < word.size()) pieces.push_back(word.substr(at, end - at));
    at = end;
  }
  return pieces;
}

class Collector {
 public:
  explicit Collector(const ShellPlaces& places) : places_(places), directories_{places.cwd} {}

  void add_directory(const ShellWord& word) {
    if (directories_.size() >= k_most_directories) {
      complete_ = false;
      return;
    }
    const std::size_t known = directories_.size();
    for (std::size_t i = 0; i < known && directories_.size() < k_most_directories; ++i) {
      directories_.push_back(
          path_of_word(word.text, {.cwd = directories_[i], .home = places_.home}));
    }
  }

  void add(std::string_view word) {
    for (const std::string_view piece : pieces_of(word)) {
      if (piece.empty() || piece.size() > k_longest_path) continue;
      for (const fs::path& directory : directories_) {
        if (paths_.size() >= k_most_paths) {
          complete_ = false;
          return;
        }
        paths_.insert(path_of_word(piece, {.cwd = directory, .home = places_.home}));
      }
    }
  }

  MentionedPaths take() {
    return {.paths = {paths_.begin(), paths_.end()},
            .directories = std::move(directories_),
            .complete = complete_};
  }

 private:
  const ShellPlaces& places_;
  std::vector<fs::path> directories_;
  std::set<fs::path> paths_;
  bool complete_ = true;
};

// `cd x`, `pushd x`, `git -C x`, `make -C x`, `env --chdir=x`, `tar --directory=x`.
void find_directories(const SimpleCommand& command, Collector& collector) {
  constexpr std::array<std::string_view, 5> k_flags = {"-C", "--directory", "--chdir", "--cwd",
                                                       "--prefix"};
  for (std::size_t i = 0; i + 1 < command.words.size(); ++i) {
    const std::string& word = command.words[i].text;
    const bool changes = word == "cd" || word == "pushd" ||
                         std::find(k_flags.begin(), k_flags.end(), word) != k_flags.end();
    if (changes) collector.add_directory(command.words[i + 1]);
  }
  for (const ShellWord& word : command.words) {
    if (word.text.starts_with("-C") && word.text.size() > 2) {
      ShellWord value = word;
      value.text.erase(0, 2);
      collector.add_directory(value);
    }
    for (const std::string_view flag : k_flags) {
      if (!word.text.starts_with(std::string(flag) + "=")) continue;
      ShellWord value = word;
      value.text.erase(0, flag.size() + 1);
      collector.add_directory(value);
    }
  }
}

}  // namespace

fs::path path_of_word(std::string_view word, const ShellPlaces& places) {
  std::size_t length = 0;
  if (word.starts_with('~')) {
    // `~name` is taken for this user's: whose it is, only the system's list of users knows.
    const fs::path& base = word.starts_with("~+") ? places.cwd : places.home;
    const std::size_t slash = std::min(word.find('/'), word.size() - 1);
    return with_parents_kept(base / path_from_utf8(word.substr(slash + 1)));
  }
  if (starts_with_variable(word, "HOME", length) || starts_with_variable(word, "PWD", length)) {
    const fs::path& base = word.find("HOME") < length ? places.home : places.cwd;
    std::string_view rest = word.substr(length);
    while (rest.starts_with('/')) rest.remove_prefix(1);
    return with_parents_kept(base / path_from_utf8(rest));
  }
  return with_parents_kept(places.cwd / path_from_utf8(word));
}

MentionedPaths mentioned_paths(const ShellText& shell, const ShellPlaces& places) {
  Collector collector(places);
  const ShellVariables variables(shell);
  const auto add = [&](const ShellWord& word) {
    collector.add(word.text);
    if (word.text.find('$') == std::string::npos) return;
    for (const ShellWord& value : variables.values_of(word)) collector.add(value.text);
  };
  for (const SimpleCommand& command : shell.commands) find_directories(command, collector);
  for (const SimpleCommand& command : shell.commands) {
    for (const auto& [name, value] : command.assignments) add(value);
    for (const ShellWord& word : command.words) add(word);
    for (const Redirect& redirect : command.redirects) add(redirect.target);
  }
  return collector.take();
}

std::vector<fs::path> redirect_targets(const ShellText& shell, const ShellPlaces& places,
                                       RedirectKind kind) {
  std::vector<fs::path> targets;
  for (const SimpleCommand& command : shell.commands) {
    for (const Redirect& redirect : command.redirects) {
      if (redirect.kind != kind) continue;
      targets.push_back(path_of_word(redirect.target.text, places));
    }
  }
  return targets;
}

}  // namespace yume::permissions
