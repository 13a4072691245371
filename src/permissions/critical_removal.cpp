// SPDX-License-Identifier: MIT
#include "permissions/critical_removal.h"

#include "permissions/shell_variables.h"
#include "permissions/vital_paths.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;
using Directories = std::vector<std::optional<fs::path>>;  // where the shell may stand

constexpr std::array<std::string_view, 8> k_removers = {"rm",     "rmdir", "unlink",    "shred",
                                                        "rimraf", "trash", "trash-put", "srm"};
// Tests of `find` that leave most files alone.
constexpr std::array<std::string_view, 14> k_narrowing = {
    "-name",   "-iname", "-path",  "-ipath", "-wholename", "-iwholename", "-regex",
    "-iregex", "-newer", "-mtime", "-mmin",  "-size",      "-empty",      "-user"};
constexpr int k_deepest_code = 3;

std::string_view base_name(std::string_view word) {
  return word.substr(word.rfind('/') + 1);
}

bool among(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_flag(const ShellWord& word) {
  return word.text.starts_with('-') && word.text.size() > 1;
}

class RemovalCheck {
 public:
  RemovalCheck(const ShellText& shell, const fs::path& cwd, const fs::path& home)
      : vital_(cwd, home), variables_(shell), directories_{cwd} {}

  bool any_vital(const ShellText& shell, int depth) {
    for (std::size_t i = 0; i < shell.commands.size(); ++i) {
      const SimpleCommand& command = shell.commands[i];
      follow_flags(command);
      const SimpleCommand* producer =
          command.joint == Joint::pipe && i > 0 ? &shell.commands[i - 1] : nullptr;
      if (removes(command) || moves(command) || clears(command) || feeds(command, producer) ||
          hidden_removal(command) || in_code(command, depth)) {
        return true;
      }
      const Joint next = i + 1 < shell.commands.size() ? shell.commands[i + 1].joint : Joint::then;
      follow(command, next);
    }
    return false;
  }

 private:
  template <class Check>
  [[nodiscard]] bool from_any_directory(const Check& check) const {
    return std::any_of(directories_.begin(), directories_.end(), check);
  }
  template <class Check>
  [[nodiscard]] bool any_value(const ShellWord& word, const Check& check) const {
    const std::vector<ShellWord> values = variables_.values_of(word);
    return std::any_of(values.begin(), values.end(), [&](const ShellWord& value) {
      return from_any_directory([&](const auto& at) { return check(value, at); });
    });
  }
  [[nodiscard]] bool is_vital(const ShellWord& word) const {
    return any_value(
        word, [&](const auto& value, const auto& at) { return vital_.covers_contents(value, at); });
  }

  // `rm` may stand behind `sudo`, `env`, `xargs`, `git`: everything behind it may be removed.
  [[nodiscard]] bool removes(const SimpleCommand& command) const {
    const auto& words = command.words;
    const auto remover = std::find_if(words.begin(), words.end(), [](const ShellWord& word) {
      return among(k_removers, base_name(word.text));
    });
    return remover != words.end() && any_operand_vital({remover + 1, words.end()});
  }

  [[nodiscard]] bool any_operand_vital(const std::vector<ShellWord>& words) const {
    return std::any_of(words.begin(), words.end(), [this](const ShellWord& word) {
      return !word.text.empty() && !is_flag(word) && is_vital(word);
    });
  }

  // `mv ~ elsewhere`
  [[nodiscard]] bool moves(const SimpleCommand& command) const {
    const auto& words = command.words;
    const auto mover = std::find_if(words.begin(), words.end(), [](const ShellWord& word) {
      return base_name(word.text) == "mv";
    });
    if (mover == words.end()) return false;
    return std::any_of(mover + 1, words.end(), [&](const ShellWord& word) {
      const bool last = &word == &words.back();
      return !last && !is_flag(word) && any_value(word, [&](const auto& value, const auto& at) {
        return vital_.covers(value, at);
      });
    });
  }

  // `find ~ -delete`, `find / -exec rm {} +`
  [[nodiscard]] bool clears(const SimpleCommand& command) const {
    const auto is_find = [](const ShellWord& word) { return base_name(word.text) == "find"; };
    const auto find = std::find_if(command.words.begin(), command.words.end(), is_find);
    if (find == command.words.end()) return false;
    const bool removes = std::any_of(find, command.words.end(), [](const ShellWord& word) {
      return word.text == "-delete" || among(k_removers, base_name(word.text));
    });
    return removes && finds_nearly_all({find + 1, command.words.end()});
  }

  [[nodiscard]] bool finds_nearly_all(const std::vector<ShellWord>& words) const {
    const auto is_expression = [](const ShellWord& word) {
      return is_flag(word) || word.text == "(" || word.text == "!";
    };
    const auto expression = std::find_if(words.begin(), words.end(), is_expression);
    // Without a directory it starts in this one.
    const bool starts_vital = expression == words.begin() ||
                              std::any_of(words.begin(), expression,
                                          [this](const ShellWord& word) { return is_vital(word); });
    bool narrowed = false;
    for (std::size_t i = 0; i + 1 < words.size(); ++i) {
      const std::string& pattern = words[i + 1].text;
      const bool all = pattern.find_first_not_of("*?.") == std::string::npos;
      const bool negated = i > 0 && (words[i - 1].text == "!" || words[i - 1].text == "-not");
      narrowed |=
          among(k_narrowing, words[i].text) && !negated && (!all || words[i].text == "-empty");
    }
    // `-name x -o -delete` removes everything else.
    const bool either = std::any_of(words.begin(), words.end(), [](const ShellWord& word) {
      return word.text == "-o" || word.text == "-or" || word.text == ",";
    });
    return starts_vital && (!narrowed || either);
  }

  // `echo ~ | xargs rm -rf`: what is removed is what the other command prints.
  [[nodiscard]] bool feeds(const SimpleCommand& command, const SimpleCommand* producer) const {
    const auto& words = command.words;
    const bool by_xargs = std::any_of(words.begin(), words.end(), [](const ShellWord& word) {
      return base_name(word.text) == "xargs" || base_name(word.text) == "parallel";
    });
    const bool removes = std::any_of(words.begin(), words.end(), [](const ShellWord& word) {
      return among(k_removers, base_name(word.text));
    });
    if (!by_xargs || !removes) return false;
    if (producer == nullptr || producer->words.empty()) return true;
    const std::vector<ShellWord> rest{producer->words.begin() + 1, producer->words.end()};
    const std::string_view name = base_name(producer->words.front().text);
    if (!producer->words.front().literal) return true;
    if (name == "find") return finds_nearly_all(rest);
    if (name == "ls" && std::all_of(rest.begin(), rest.end(), is_flag)) return true;
    return any_operand_vital(rest);
  }

  // `$(echo rm) -rf ~`
  [[nodiscard]] bool hidden_removal(const SimpleCommand& command) const {
    if (command.words.empty() || command.words.front().literal) return false;
    const bool recursive =
        std::any_of(command.words.begin() + 1, command.words.end(), [](const ShellWord& word) {
          const bool short_flag = is_flag(word) && !word.text.starts_with("--");
          return word.text == "--recursive" ||
                 (short_flag && word.text.find_first_of("rR") != std::string::npos);
        });
    return recursive && any_operand_vital({command.words.begin() + 1, command.words.end()});
  }

  // `bash -c 'rm -rf /'`, `eval "..."`: a word with blanks in it may be code.
  [[nodiscard]] bool in_code(const SimpleCommand& command, int depth) const {
    if (depth == k_deepest_code) return false;
    const auto is_vital_code = [&](const ShellWord& word) {
      if (word.text.find_first_of(" \t\n") == std::string::npos) return false;
      const ShellText code = read_shell_text(word.text);
      RemovalCheck inner = *this;
      inner.variables_ = ShellVariables(code);
      return inner.any_vital(code, depth + 1);
    };
    return std::any_of(command.words.begin(), command.words.end(), is_vital_code) ||
           std::any_of(command.redirects.begin(), command.redirects.end(),
                       [&](const Redirect& one) { return is_vital_code(one.target); });
  }

  // `env -C .. rm x`: the program itself stands elsewhere.
  void follow_flags(const SimpleCommand& command) {
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const std::string& word = command.words[i].text;
      constexpr std::string_view k_long = "--chdir=";
      if ((word == "-C" || word == "--chdir") && i + 1 < command.words.size()) {
        move_to(command.words[i + 1].text, /*certain=*/false);
      } else if (word.starts_with(k_long)) {
        move_to(word.substr(k_long.size()), /*certain=*/false);
      }
    }
  }

  // Where the shell stands afterwards. Only `cd x && ...` leaves no doubt that it has moved.
  void follow(const SimpleCommand& command, Joint next) {
    const auto& words = command.words;
    if (words.empty() || (words.front().text != "cd" && words.front().text != "pushd")) return;
    const auto to = std::find_if(words.begin() + 1, words.end(), [](const ShellWord& word) {
      return !word.text.starts_with("--");
    });
    const bool certain =
        next == Joint::and_then && command.depth == 0 && command.joint != Joint::pipe;
    move_to(to == words.end() ? "~" : to->text, certain);
  }

  void move_to(const std::string& word, bool certain) {
    constexpr std::size_t k_most = 16;
    Directories after;
    for (const auto& at : directories_) after.push_back(vital_.directory_after(word, at));
    if (!certain) after.insert(after.end(), directories_.begin(), directories_.end());
    std::sort(after.begin(), after.end());
    after.erase(std::unique(after.begin(), after.end()), after.end());
    if (after.size() > k_most) after = {std::nullopt};
    directories_ = std::move(after);
  }

  VitalPaths vital_;
  ShellVariables variables_;
  Directories directories_;
};

}  // namespace

bool removes_something_vital(const ShellText& shell, const fs::path& cwd, const fs::path& home) {
  return RemovalCheck(shell, cwd, home).any_vital(shell, /*depth=*/0);
}

bool removes_something_vital(std::string_view command, const fs::path& cwd, const fs::path& home) {
  return removes_something_vital(read_shell_text(command), cwd, home);
}

}  // namespace yume::permissions
