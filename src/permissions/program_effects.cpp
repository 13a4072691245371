// SPDX-License-Identifier: MIT
#include "permissions/program_effects.h"

#include "permissions/command_words.h"
#include "util/ascii.h"

#include <algorithm>
#include <array>
#include <string>

namespace yume::permissions {
namespace {

using Words = std::vector<ShellWord>;

bool among(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// A script of sed, read only as far as it is simple. Every way out but the end means: it may do
// more than print.
class SedScript {
 public:
  explicit SedScript(std::string_view text) : text_(text) {}

  [[nodiscard]] bool only_prints() {
    while (skip_blanks(), at_ < text_.size()) {
      if (!skip_address() || !take_command()) return false;
    }
    return true;
  }

 private:
  [[nodiscard]] char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }

  void skip_blanks() { at_ = std::min(text_.find_first_not_of(" \t\n;{}", at_), text_.size()); }

  // Up to and with the next `mark` that has no backslash in front.
  bool skip_part(char mark) {
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == '\\') {
        ++at_;
      } else if (text_[at_] == mark) {
        ++at_;
        return true;
      }
    }
    return false;
  }

  // `1,5`, `$`, `/x/I,/y/`, `0~2!`
  bool skip_address() {
    while (at_ < text_.size()) {
      const char c = peek();
      if (c == '/') {
        ++at_;
        if (!skip_part('/')) return false;
        while (peek() == 'I' || peek() == 'M') ++at_;
      } else if (std::string_view("0123456789$,~+! ").find(c) != std::string_view::npos) {
        ++at_;
      } else {
        return true;
      }
    }
    return true;
  }

  bool take_command() {
    constexpr std::string_view k_harmless = "pPdDgGhHnNxlq=";
    const char c = peek();
    ++at_;
    if (c == 's') return take_substitution();
    // What may follow is a number at most, then the next command.
    if (c == '\0' || k_harmless.find(c) == std::string_view::npos) return false;
    while (std::string_view(" 0123456789").find(peek()) != std::string_view::npos) {
      if (at_ == text_.size()) break;
      ++at_;
    }
    return at_ == text_.size() || std::string_view(";}\n").find(peek()) != std::string_view::npos;
  }

  bool take_substitution() {
    const char mark = peek();
    ++at_;
    if (mark == '\\' || mark == '\n' || !skip_part(mark) || !skip_part(mark)) return false;
    while (at_ < text_.size() &&
           std::string_view("gpiIM0123456789").find(peek()) != std::string_view::npos) {
      ++at_;
    }
    skip_spaces();
    return at_ == text_.size() || std::string_view(";}\n").find(peek()) != std::string_view::npos;
  }

  void skip_spaces() {
    while (peek() == ' ') ++at_;
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

bool sed_does_more(const Words& words) {
  bool scripted = false;  // by -e: then all operands are files
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view text = words[i].text;
    const bool bundle = text.starts_with('-') && !text.starts_with("--");
    if (text.starts_with("--f") || (bundle && text.find('f') != std::string_view::npos))
      return true;
    if (text == "--expression" || (bundle && text.find('e') == text.size() - 1)) {
      scripted = true;
      if (i + 1 < words.size() && !SedScript(words[++i].text).only_prints()) return true;
    } else if (text.starts_with("--e") || (bundle && text.find('e') != std::string_view::npos)) {
      return true;  // attached: not looked into
    }
  }
  if (scripted) return false;
  const auto script = std::find_if(words.begin() + 1, words.end(), [](const ShellWord& word) {
    return !word.text.starts_with('-');
  });
  return script != words.end() && !SedScript(script->text).only_prints();
}

// A `>` may compare; behind `print` it writes.
bool awk_does_more(const Words& words) {
  return std::any_of(words.begin() + 1, words.end(), [](const ShellWord& word) {
    const std::string_view text = word.text;
    const std::size_t print = text.find("print");
    const bool writes =
        print != std::string_view::npos && text.find('>', print) != std::string_view::npos;
    const std::size_t bar = text.find('|');
    const bool pipes = bar != std::string_view::npos && text.substr(bar, 2) != "||";
    return writes || pipes || text.find("system") != std::string_view::npos ||
           text.find("|&") != std::string_view::npos || text.starts_with("-f") ||
           text.starts_with("--f") || text.starts_with("-i") || text.starts_with("@") ||
           text.starts_with("-l");
  });
}

// Settings of git that name a program, or a file with more settings.
bool names_program(std::string_view key) {
  constexpr std::array<std::string_view, 20> k_keys = {
      "alias.",      "filter.",    "include",      "credential",    "core.pager",
      "core.editor", "core.hooks", "core.ssh",     "core.fsmon",    "core.ask",
      "core.gitp",   "core.alt",   "sequence.",    "pager.",        "gpg",
      "browser.",    "man.",       "interactive.", "diff.external", "sendemail."};
  constexpr std::array<std::string_view, 9> k_endings = {".cmd",    ".command", ".textconv",
                                                         ".driver", ".path",    ".program",
                                                         ".helper", ".tool",    ".uploadpack"};
  const std::string lower = ascii_lower(key);
  return std::any_of(k_keys.begin(), k_keys.end(),
                     [&](std::string_view one) { return lower.starts_with(one); }) ||
         std::any_of(k_endings.begin(), k_endings.end(),
                     [&](std::string_view one) { return lower.ends_with(one); });
}

}  // namespace

bool script_does_more(const Words& words) {
  constexpr std::array<std::string_view, 4> k_awks = {"awk", "gawk", "mawk", "nawk"};
  if (words.empty()) return false;
  const std::string name = program_name(words.front());
  if (name == "sed" || name == "gsed") return sed_does_more(words);
  return among(k_awks, name) && awk_does_more(words);
}

bool git_runs_programs(const Words& words) {
  constexpr std::array<std::string_view, 9> k_verbs = {
      "filter-branch", "difftool", "mergetool",    "instaweb", "daemon",
      "send-email",    "p4",       "http-backend", "shell"};
  if (words.empty() || program_name(words.front()) != "git") return false;
  const auto has = [&words](std::string_view text) {
    return std::any_of(words.begin() + 1, words.end(),
                       [text](const ShellWord& word) { return word.text == text; });
  };
  const bool by_verb = std::any_of(words.begin() + 1, words.end(), [&](const ShellWord& word) {
    return among(k_verbs, word.text);
  });
  const bool runs = (has("bisect") && has("run")) || (has("submodule") && has("foreach")) ||
                    (has("rebase") && has("-x")) ||
                    (has("clone") && (has("-u") || has("-c") || has("--config")));
  // `ext::sh -c x` is a program instead of an address.
  const bool by_address = std::any_of(words.begin(), words.end(), [](const ShellWord& word) {
    return word.text.starts_with("ext::") || word.text.starts_with("fd::");
  });
  const bool by_setting =
      has("config") && !has("--get") && !has("--list") && !has("-l") && !has("get") &&
      std::any_of(words.begin() + 1, words.end(),
                  [](const ShellWord& word) { return names_program(word.text); });
  const bool writes = (has("archive") || has("format-patch")) &&
                      std::any_of(words.begin() + 1, words.end(), [](const ShellWord& word) {
                        return word.text.starts_with("-o");
                      });
  return by_verb || runs || by_address || by_setting || writes;
}

}  // namespace yume::permissions
