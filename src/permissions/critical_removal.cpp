// SPDX-License-Identifier: MIT
#include "permissions/critical_removal.h"

#include "permissions/brace_words.h"
#include "permissions/hidden_code.h"
#include "permissions/shell_variables.h"
#include "permissions/vital_paths.h"

#include <algorithm>
#include <array>
#include <memory>
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
constexpr std::array<std::string_view, 13> k_narrowing = {
    "-name",   "-iname", "-path",  "-ipath", "-wholename", "-iwholename", "-regex",
    "-iregex", "-newer", "-mtime", "-mmin",  "-size",      "-empty"};
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

// `*`, `./*`, `.*`, `[a-z]*`: next to nothing is left out.
bool finds_everything(std::string_view pattern) {
  std::string out;
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const std::size_t close = pattern[at] == '[' ? pattern.find(']', at + 2) : pattern.npos;
    out.push_back(close == pattern.npos ? pattern[at] : '?');
    if (close != pattern.npos) at = close;
  }
  return out.find_first_not_of("*?./") == std::string::npos;
}

bool has_program(const SimpleCommand& command, std::string_view name) {
  return std::any_of(command.words.begin(), command.words.end(),
                     [name](const ShellWord& word) { return base_name(word.text) == name; });
}

// A disk or a part of one: what is written there takes the place of all its files.
bool is_disk(std::string_view path) {
  constexpr std::array<std::string_view, 11> k_disks = {
      "sd", "hd", "vd", "xvd", "nvme", "mmcblk", "dm-", "md", "disk/", "mapper/", "loop"};
  constexpr std::string_view k_devices = "/dev/";
  if (path.starts_with("of=")) path.remove_prefix(3);
  if (!path.starts_with(k_devices)) return false;
  path.remove_prefix(k_devices.size());
  return std::any_of(k_disks.begin(), k_disks.end(),
                     [path](std::string_view disk) { return path.starts_with(disk); });
}

bool overwrites_disk(const SimpleCommand& command) {
  constexpr std::array<std::string_view, 7> k_writers = {"shred",      "cp",     "tee",   "wipefs",
                                                         "blkdiscard", "mkswap", "sfdisk"};
  const bool redirected =
      std::any_of(command.redirects.begin(), command.redirects.end(), [](const Redirect& one) {
        return one.kind == RedirectKind::writes && is_disk(one.target.text);
      });
  bool writes = false;
  for (const ShellWord& word : command.words) {
    const std::string_view name = base_name(word.text);
    writes = writes || among(k_writers, name) || name.starts_with("mkfs");
    if (is_disk(word.text) && (writes || word.text.starts_with("of="))) return true;
  }
  return redirected;
}

class RemovalCheck {
 public:
  RemovalCheck(const ShellText& shell, const fs::path& cwd, const fs::path& home,
               const FileNames& names)
      : cwd_(cwd), vital_(cwd, home, names), variables_(shell), directories_{cwd} {}

  bool any_vital(const ShellText& shell, int depth) {
    for (std::size_t i = 0; i < shell.commands.size(); ++i) {
      const SimpleCommand command = with_brace_words(shell.commands[i]);
      follow_flags(command);
      const SimpleCommand* producer =
          command.joint == Joint::pipe && i > 0 ? &shell.commands[i - 1] : nullptr;
      if (removes(command) || moves(command) || clears(command) || feeds(command, producer) ||
          replaces(command) || cleans(command) || overwrites_disk(command) ||
          hidden_removal(command) || in_code(command, depth) || in_script(command)) {
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

  // `mv ~ elsewhere`, `mv -t elsewhere ~`
  [[nodiscard]] bool moves(const SimpleCommand& command) const {
    const auto& words = command.words;
    const auto mover = std::find_if(words.begin(), words.end(), [](const ShellWord& word) {
      return base_name(word.text) == "mv";
    });
    if (mover == words.end()) return false;
    const bool names_target = std::any_of(mover + 1, words.end(), [](const ShellWord& word) {
      const bool bundle = is_flag(word) && !word.text.starts_with("--");
      return word.text.starts_with("--t") || (bundle && word.text.find('t') != std::string::npos);
    });
    return std::any_of(mover + 1, words.end(), [&](const ShellWord& word) {
      const bool last = &word == &words.back() && !names_target;
      return !last && !is_flag(word) && any_value(word, [&](const auto& value, const auto& at) {
        return vital_.covers(value, at);
      });
    });
  }

  // `rsync --delete empty/ ~`: what the source has not got goes.
  [[nodiscard]] bool replaces(const SimpleCommand& command) const {
    if (!has_program(command, "rsync")) return false;
    const bool deletes =
        std::any_of(command.words.begin(), command.words.end(),
                    [](const ShellWord& word) { return word.text.starts_with("--del"); });
    return deletes && !is_flag(command.words.back()) && is_vital(command.words.back());
  }

  // `git -C ~ clean -fd`, `git clean -fd ~`. In the working directory that is everyday work.
  [[nodiscard]] bool cleans(const SimpleCommand& command) const {
    const auto verb = std::find_if(command.words.begin(), command.words.end(),
                                   [](const ShellWord& word) { return word.text == "clean"; });
    if (verb == command.words.end() || !has_program(command, "git")) return false;
    const auto is_elsewhere = [this](const ShellWord& word, const auto& at) {
      return at && *at != cwd_ && vital_.covers_contents(word, at);
    };
    return from_any_directory([&](const auto& at) { return is_elsewhere({.text = "."}, at); }) ||
           std::any_of(verb + 1, command.words.end(), [&](const ShellWord& word) {
             return any_value(word, [&](const auto& value, const auto& at) {
               return is_elsewhere({.text = "."}, vital_.directory_after(value.text, at));
             });
           });
  }

  // `fd -x rm`, without a pattern
  [[nodiscard]] bool clears_by_fd(const std::vector<ShellWord>& words) const {
    const auto runs = std::find_if(words.begin(), words.end(), [](const ShellWord& word) {
      return word.text == "-x" || word.text == "-X" || word.text.starts_with("--exec");
    });
    const bool removes = std::any_of(runs, words.end(), [](const ShellWord& word) {
      return among(k_removers, base_name(word.text));
    });
    const bool all = std::all_of(words.begin(), runs, [](const ShellWord& word) {
      return is_flag(word) || finds_everything(word.text);
    });
    return removes && all && is_vital({.text = "."});
  }

  // `find ~ -delete`, `find / -exec rm {} +`
  [[nodiscard]] bool clears(const SimpleCommand& command) const {
    const auto fd =
        std::find_if(command.words.begin(), command.words.end(), [](const ShellWord& word) {
          return base_name(word.text) == "fd" || base_name(word.text) == "fdfind";
        });
    if (fd != command.words.end() && clears_by_fd({fd + 1, command.words.end()})) return true;
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
      const bool all = finds_everything(pattern) || pattern == "+0";
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
    // All that git knows.
    const bool lists_tree = name == "git" && !rest.empty() && rest.front().text == "ls-files";
    if (lists_tree && std::all_of(rest.begin() + 1, rest.end(), is_flag)) return true;
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
    const auto is_vital_code = [&](std::string_view text) {
      if (text.find_first_of(" \t\n") == std::string_view::npos) return false;
      // More than anybody writes: it may be anything.
      if (*code_left_ < text.size()) return true;
      *code_left_ -= text.size();
      const ShellText code = read_shell_text(text);
      RemovalCheck inner = *this;
      inner.variables_ = ShellVariables(code);
      return inner.any_vital(code, depth + 1);
    };
    const std::vector<std::string> pieces = code_in(command);
    return std::any_of(pieces.begin(), pieces.end(), is_vital_code) ||
           std::any_of(command.redirects.begin(), command.redirects.end(),
                       [&](const Redirect& one) { return is_vital_code(one.target.text); });
  }

  // `python3 -c "shutil.rmtree('/home')"`
  [[nodiscard]] bool in_script(const SimpleCommand& command) const {
    constexpr std::array<std::string_view, 5> k_functions = {"rmtree", "rm_rf", "rm_r", "rmSync",
                                                             "remove_tree"};
    const auto removes_here = [&](const ShellWord& word) {
      const std::string_view name = word.text;
      return among(k_removers, base_name(name)) ||
             std::any_of(k_functions.begin(), k_functions.end(),
                         [name](std::string_view function) { return name.ends_with(function); });
    };
    const std::vector<std::vector<ShellWord>> scripts = script_words(command);
    return std::any_of(scripts.begin(), scripts.end(), [&](const std::vector<ShellWord>& words) {
      const auto remover = std::find_if(words.begin(), words.end(), removes_here);
      return std::any_of(remover, words.end(), [this](const ShellWord& word) {
        // Names in code are relative to where it runs; only what is certain counts.
        const bool certain = word.text.starts_with('/') || word.tilde;
        return certain && is_vital(word);
      });
    });
  }

  // `env -C .. rm x`, `chroot / rm x`: the program itself stands elsewhere.
  void follow_flags(const SimpleCommand& command) {
    for (const auto& [name, value] : command.assignments) searches_ |= name == "CDPATH";
    for (std::size_t i = 0; i < command.words.size(); ++i) {
      const std::string& word = command.words[i].text;
      constexpr std::string_view k_long = "--chdir=";
      searches_ |= word.starts_with("CDPATH=");
      const bool moves = word == "-C" || word == "--chdir" || base_name(word) == "chroot" ||
                         (word == "-D" && has_program(command, "sudo"));
      if (moves && i + 1 < command.words.size()) {
        move_to(command.words[i + 1].text, /*certain=*/false);
      } else if (word.starts_with(k_long)) {
        move_to(word.substr(k_long.size()), /*certain=*/false);
      }
    }
  }

  // Where the shell stands afterwards. Only `cd x && ...` leaves no doubt that it has moved.
  void follow(const SimpleCommand& command, Joint next) {
    const auto& words = command.words;
    const auto mover = std::find_if(words.begin(), words.end(), [](const ShellWord& word) {
      return word.text != "builtin" && word.text != "command";
    });
    if (mover == words.end() || (mover->text != "cd" && mover->text != "pushd")) return;
    const auto to =
        std::find_if(mover + 1, words.end(), [](const ShellWord& word) { return !is_flag(word); });
    const bool certain =
        next == Joint::and_then && command.depth == 0 && command.joint != Joint::pipe;
    const std::string target = to == words.end() ? "~" : to->text;
    // Behind CDPATH a name is looked for elsewhere.
    const bool is_name = std::string_view("/.~").find(target.front()) == std::string_view::npos;
    move_to(searches_ && is_name ? "$CDPATH" : target, certain && !searches_);
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

  fs::path cwd_;
  VitalPaths vital_;
  ShellVariables variables_;
  Directories directories_;
  bool searches_ = false;  // `cd` does, along CDPATH
  // How much code may still be read, for all that is nested.
  std::shared_ptr<std::size_t> code_left_ = std::make_shared<std::size_t>(std::size_t{64} << 10U);
};

}  // namespace

bool removes_something_vital(const ShellText& shell, const fs::path& cwd, const fs::path& home,
                             const FileNames& names) {
  return RemovalCheck(shell, cwd, home, names).any_vital(shell, /*depth=*/0);
}

bool removes_something_vital(std::string_view command, const fs::path& cwd, const fs::path& home) {
  return removes_something_vital(read_shell_text(command), cwd, home);
}

}  // namespace yume::permissions
