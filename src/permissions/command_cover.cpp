// SPDX-License-Identifier: MIT
#include "permissions/command_cover.h"

#include "permissions/command_words.h"

#include <algorithm>

namespace yume::permissions {
namespace {

// Blanks inside a word are no borders of words: `"git log"` is a program of that odd name.
std::string one_line(const std::vector<ShellWord>& words) {
  std::string out;
  for (const ShellWord& word : words) {
    if (!out.empty()) out.push_back(' ');
    if (word.text.empty()) out.push_back('\x01');
    for (const char c : word.text) {
      out.push_back(c == ' ' || c == '\t' || c == '\n' ? '\x01' : c);
    }
  }
  return out;
}

bool starts_package_runner(const std::vector<ShellWord>& words) {
  const std::string name = words.empty() ? "" : program_name(words.front());
  return name == "npx" || name == "bunx" || name == "pnpx" || name == "uvx";
}

// `npx tsc:*` names the program that is run; `npx:*` names none.
bool names_inner_program(const Rule& rule) {
  const std::size_t blank = rule.spec.find(' ');
  return blank != std::string::npos && blank + 1 < rule.spec.size() &&
         rule.spec[blank + 1] != '-' && rule.spec[blank + 1] != '*';
}

bool runs_program(const CommandFacts& facts, std::string_view name) {
  const auto& commands = facts.shell.commands;
  return std::any_of(commands.begin(), commands.end(), [name](const SimpleCommand& one) {
    const std::vector<ShellWord> words = without_wrappers(one.words);
    return !words.empty() && program_name(words.front()) == name;
  });
}

class Covering {
 public:
  Covering(const RuleBook& rules, const ShellPlaces& places, const PathPermissions& paths)
      : rules_(rules), places_{places}, paths_(paths) {}

  Cover of(const CommandFacts& facts) {
    for (const RuleBook::Compiled& one : rules_.allowances()) {
      if (one.rule.tool != "Bash") continue;
      if (one.rule.spec.empty() || one.rule.spec == facts.text) {
        return {.whole = true, .rules = {&one.rule}};
      }
    }
    if (facts.is_opaque()) return {.missing = *facts.shell.opaque};
    if (runs_program(facts, "cd") && runs_program(facts, "git")) {
      return {.missing = "it changes the directory before git, whose settings there can run code"};
    }
    for (const SimpleCommand& command : facts.shell.commands) {
      if (!covers(command)) return {.missing = "no rule covers: " + one_line(command.words)};
      if (!covers_redirects(command)) {
        return {.missing = "it writes or reads files that no rule covers"};
      }
    }
    // What needs no rule was proven elsewhere, and runs without a shell.
    return {.whole = !used_.empty(), .rules = std::move(used_)};
  }

 private:
  bool covers(const SimpleCommand& command) {
    if (!has_only_harmless_assignments(command)) return false;
    if (command.words.empty()) return true;
    const std::vector<ShellWord> words = without_wrappers(command.words);
    const std::string text = one_line(words);
    if (changes_directory(words)) return true;
    if (is_read_only(words)) return true;
    const bool risky =
        has_hidden_effect(words) || (runs_other_commands(words) && !starts_package_runner(words));
    for (const RuleBook::Compiled& one : rules_.allowances()) {
      if (!one.command || one.rule.tool != "Bash") continue;
      if (risky && !one.command->is_exact()) continue;
      if (starts_package_runner(words) && !one.command->is_exact() &&
          !names_inner_program(one.rule)) {
        continue;
      }
      if (!one.command->covers(text)) continue;
      used_.push_back(&one.rule);
      return true;
    }
    return false;
  }

  // `cd src` inside of what may be read. It may fail, so what follows is looked at from both
  // places.
  bool changes_directory(const std::vector<ShellWord>& words) {
    constexpr std::size_t k_most_places = 16;
    if (words.size() != 2 || words[0].text != "cd" || !words[1].literal ||
        words[1].text.starts_with('-') || places_.size() * 2 > k_most_places) {
      return false;
    }
    if (!from_all_places(words[1].text, paths_.may_read)) return false;
    const std::vector<ShellPlaces> before = places_;
    for (const ShellPlaces& one : before) {
      places_.push_back({.cwd = path_of_word(words[1].text, one), .home = one.home});
    }
    return true;
  }

  bool from_all_places(std::string_view word,
                       const std::function<bool(const std::filesystem::path&)>& permitted) const {
    return std::all_of(places_.begin(), places_.end(),
                       [&](const ShellPlaces& one) { return permitted(path_of_word(word, one)); });
  }

  [[nodiscard]] bool is_read_only(const std::vector<ShellWord>& words) const {
    std::vector<std::string> argv;
    for (const ShellWord& word : words) {
      if (!word.literal || word.tilde) return false;
      argv.push_back(word.text);
    }
    return std::all_of(places_.begin(), places_.end(), [&](const ShellPlaces& one) {
      const auto files = files_read_by(argv, one.cwd);
      return files && std::all_of(files->begin(), files->end(), paths_.may_read);
    });
  }

  [[nodiscard]] bool covers_redirects(const SimpleCommand& command) const {
    return std::all_of(command.redirects.begin(), command.redirects.end(),
                       [this](const Redirect& one) {
                         if (!one.target.literal) return false;
                         if (one.target.text == "/dev/null") return true;
                         return from_all_places(one.target.text, one.kind == RedirectKind::writes
                                                                     ? paths_.may_write
                                                                     : paths_.may_read);
                       });
  }

  const RuleBook& rules_;
  std::vector<ShellPlaces> places_;  // where the shell may stand
  const PathPermissions& paths_;
  std::vector<const Rule*> used_;
};

}  // namespace

Cover cover_of(const CommandFacts& facts, const RuleBook& rules, const ShellPlaces& places,
               const PathPermissions& paths) {
  return Covering(rules, places, paths).of(facts);
}

}  // namespace yume::permissions
