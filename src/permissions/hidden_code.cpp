// SPDX-License-Identifier: MIT
#include "permissions/hidden_code.h"

#include "permissions/command_words.h"

#include <algorithm>
#include <array>

namespace yume::permissions {
namespace {

constexpr std::size_t k_most_pieces = 32;

bool among(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 12> k_shells = {
    "sh", "bash", "dash", "zsh", "ksh", "ash", "fish", "csh", "tcsh", "su", "ssh", "rbash"};

// Give a word of theirs to a shell.
constexpr std::array<std::string_view, 8> k_shell_callers = {"watch",  "script", "flock", "tmux",
                                                             "screen", "xterm",  "entr",  "at"};

// Take code or a program behind a flag, without a blank between.
constexpr std::array<std::string_view, 8> k_with_attached_code = {"tar", "bsdtar", "rsync", "man",
                                                                  "sed", "awk",    "gawk",  "git"};

bool is_interpreter(std::string_view name) {
  constexpr std::array<std::string_view, 8> k_names = {"node", "perl", "ruby", "php",
                                                       "lua",  "deno", "bun",  "pypy3"};
  return name.starts_with("python") || among(k_names, name);
}

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool any_program(const SimpleCommand& command, const auto& is_such) {
  return std::any_of(command.words.begin(), command.words.end(),
                     [&](const ShellWord& word) { return is_such(program_name(word)); });
}

bool takes_attached_code(const SimpleCommand& command) {
  const bool runs_others =
      std::any_of(command.words.begin(), command.words.end(),
                  [](const ShellWord& word) { return runs_other_commands({word}); });
  return runs_others || any_program(command, [](std::string_view name) {
           return among(k_shells, name) || among(k_shell_callers, name) ||
                  among(k_with_attached_code, name) || is_interpreter(name);
         });
}

class Pieces {
 public:
  void add(std::string_view text) {
    while (!text.empty() && (text.front() == '!' || text.front() == ':')) text.remove_prefix(1);
    if (!text.empty() && found_.size() < k_most_pieces) found_.emplace_back(text);
  }
  void add_if_code(std::string_view text) {
    if (could_be_code(text)) add(text);
  }
  std::vector<std::string> take() { return std::move(found_); }

 private:
  std::vector<std::string> found_;
};

// `-Scurl`, `-qccurl x`: which of the letters takes the value is the program's business.
void add_attached(std::string_view word, Pieces& pieces) {
  constexpr std::size_t k_longest_bundle = 5;
  if (word.size() < 3 || word[0] != '-' || word[1] == '-') return;
  for (std::size_t i = 2; i < std::min(word.size(), k_longest_bundle); ++i) {
    pieces.add(word.substr(i));
    if (!is_letter(word[i])) return;
  }
}

// `1ecurl`: sed runs what stands behind the `e`.
void add_behind_e(std::string_view script, Pieces& pieces) {
  constexpr std::size_t k_most = 8;
  std::size_t count = 0;
  for (std::size_t at = script.find('e'); at != std::string_view::npos && count < k_most;
       at = script.find('e', at + 1), ++count) {
    // To the end of the line.
    pieces.add(script.substr(at + 1, script.find('\n', at) - at - 1));
  }
}

std::string_view value_of(std::string_view word) {
  const std::size_t equals = word.find('=');
  return equals == std::string_view::npos ? std::string_view{} : word.substr(equals + 1);
}

// Variables that name a command for whoever reads them.
bool names_a_command(std::string_view variable) {
  constexpr std::array<std::string_view, 8> k_parts = {"EDITOR", "PAGER",    "COMMAND", "CMD",
                                                       "SHELL",  "LESSOPEN", "ASKPASS", "BROWSER"};
  return std::any_of(k_parts.begin(), k_parts.end(), [variable](std::string_view part) {
    return variable.find(part) != std::string_view::npos;
  });
}

bool is_its_own_input(std::string_view word) {
  return word == "/dev/stdin" || word == "/dev/fd/0" || word == "/proc/self/fd/0";
}

// Of a shell.
bool takes_value(std::string_view flag) {
  return flag == "-o" || flag == "-O" || flag == "+o" || flag == "+O" || flag == "--rcfile" ||
         flag == "--init-file";
}

// Whether its words leave it nothing but its input: no script, no code, only flags.
bool has_only_flags(const std::vector<ShellWord>& words, std::size_t from, bool is_shell) {
  for (std::size_t i = from; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    const bool is_bundle = text.starts_with('-') && !text.starts_with("--");
    if (is_shell && is_bundle && text.find('s') != std::string::npos) return true;
    if (is_bundle && text.find_first_of(is_shell ? "c" : "cemprvVhi") != std::string::npos) {
      return false;
    }
    if (text == "--version" || text == "--help" || text == "--eval") return false;
    if (is_shell && takes_value(text)) {
      ++i;
    } else if (text.find_first_of("-+") != 0 && !is_its_own_input(text)) {
      return false;
    }
  }
  return true;
}

bool is_script_character(char c) {
  return is_letter(c) || (c >= '0' && c <= '9') ||
         std::string_view("_-./~*?$").find(c) != std::string_view::npos;
}

std::vector<ShellWord> words_of_script(std::string_view script) {
  constexpr std::size_t k_most_words = 256;
  std::vector<ShellWord> words;
  for (std::size_t at = 0; at < script.size() && words.size() < k_most_words;) {
    if (!is_script_character(script[at])) {
      ++at;
      continue;
    }
    std::size_t end = at;
    while (end < script.size() && is_script_character(script[end])) ++end;
    ShellWord word{.text = std::string(script.substr(at, end - at))};
    word.tilde = word.text.starts_with('~');
    words.push_back(std::move(word));
    at = end;
  }
  return words;
}

}  // namespace

bool could_be_code(std::string_view text) {
  return text.find_first_of(" \t\n;|&<>\"'\\$`") != std::string_view::npos;
}

std::vector<std::string> code_in(const SimpleCommand& command) {
  Pieces pieces;
  for (const auto& [name, value] : command.assignments) pieces.add_if_code(value.text);
  const bool attached = takes_attached_code(command);
  const bool edits =
      any_program(command, [](std::string_view name) { return name == "sed" || name == "gsed"; });
  for (const ShellWord& word : command.words) {
    pieces.add_if_code(word.text);
    pieces.add_if_code(value_of(word.text));
    if (attached) add_attached(word.text, pieces);
    if (edits) add_behind_e(word.text, pieces);
  }
  return pieces.take();
}

std::vector<std::string> shell_code_in(const SimpleCommand& command) {
  Pieces pieces;
  for (const auto& [name, value] : command.assignments) {
    if (names_a_command(name)) pieces.add_if_code(value.text);
  }
  const bool for_shell = any_program(command, [](std::string_view name) {
    return among(k_shells, name) || among(k_shell_callers, name);
  });
  const bool splits = any_program(command, [](std::string_view name) { return name == "env"; });
  bool behind_setting = false;
  for (const ShellWord& word : command.words) {
    const std::string_view text = word.text;
    if (for_shell) {
      pieces.add_if_code(text);
      if (text.starts_with('-') && could_be_code(text)) add_attached(text, pieces);
    }
    if (splits && (text.starts_with("-S") || text.starts_with("--split"))) {
      pieces.add_if_code(text.starts_with("--") ? value_of(text) : text.substr(2));
    }
    if (splits && behind_setting) pieces.add_if_code(text);
    // `git -c alias.x='!cat y'`
    const bool sets = text.starts_with("alias.") || text.starts_with("-calias.");
    if (sets && value_of(text).starts_with('!')) pieces.add(value_of(text));
    behind_setting = text == "-S" || text == "--split-string";
  }
  return pieces.take();
}

bool reads_code_from_input(const SimpleCommand& command) {
  const std::vector<ShellWord> words = without_wrappers(command.words);
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = program_name(words[i]);
    if (name == "at" || name == "batch") return i == 0;
    const bool is_shell = among(k_shells, name) && name != "su" && name != "ssh";
    // An interpreter without a script shows a prompt, unless something is fed to it.
    const bool is_fed = command.joint == Joint::pipe && is_interpreter(name);
    if ((is_shell || is_fed) && has_only_flags(words, i + 1, is_shell)) return true;
    if (i == 0 && !runs_other_commands(words)) return false;
  }
  return false;
}

bool runs_what_it_finds(const SimpleCommand& command) {
  constexpr std::array<std::string_view, 4> k_runs = {"-exec", "-execdir", "-ok", "-okdir"};
  const auto& words = command.words;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    if (among(k_runs, words[i].text) && words[i + 1].text.find("{}") != std::string::npos) {
      return true;
    }
  }
  return false;
}

std::vector<std::vector<ShellWord>> script_words(const SimpleCommand& command) {
  std::vector<std::vector<ShellWord>> scripts;
  if (!any_program(command, [](std::string_view name) { return is_interpreter(name); })) return {};
  for (const ShellWord& word : command.words) {
    if (could_be_code(word.text)) scripts.push_back(words_of_script(word.text));
  }
  return scripts;
}

}  // namespace yume::permissions
