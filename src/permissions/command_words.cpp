// SPDX-License-Identifier: MIT
#include "permissions/command_words.h"

#include "permissions/program_effects.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace yume::permissions {
namespace {

using Words = std::vector<ShellWord>;

bool among(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

constexpr std::array<std::string_view, 58> k_command_runners = {
    "env",         "xargs",    "watch",       "setsid",
    "ionice",      "flock",    "sudo",        "doas",
    "su",          "sh",       "bash",        "zsh",
    "dash",        "ksh",      "fish",        "csh",
    "tcsh",        "busybox",  "toybox",      "parallel",
    "strace",      "ltrace",   "gdb",         "script",
    "unshare",     "nsenter",  "chroot",      "runuser",
    "systemd-run", "at",       "batch",       "crontab",
    "screen",      "tmux",     "expect",      "ssh",
    "exec",        "eval",     "source",      ".",
    "trap",        "chrt",     "taskset",     "setpriv",
    "prlimit",     "pkexec",   "unbuffer",    "setarch",
    "numactl",     "firejail", "proxychains", "proxychains4",
    "chronic",     "faketime", "xvfb-run",    "dbus-run-session",
    "entr",        "watchexec"};

// Run another program when it is the next word, or behind `run` or `exec`.
constexpr std::array<std::string_view, 8> k_package_runners = {"npx",  "bunx", "pnpx",   "uvx",
                                                               "pipx", "dlx",  "devbox", "mise"};
constexpr std::array<std::string_view, 5> k_container_tools = {"docker", "podman", "kubectl",
                                                               "nerdctl", "docker-compose"};
constexpr std::array<std::string_view, 5> k_container_verbs = {"exec", "run", "compose", "debug",
                                                               "attach"};

struct HiddenEffect {
  std::string_view program;
  std::string_view flag;  // long ones also by their beginning, and with =value
};
constexpr std::array k_hidden_effects = {
    HiddenEffect{"find", "-exec"},
    HiddenEffect{"find", "-execdir"},
    HiddenEffect{"find", "-ok"},
    HiddenEffect{"find", "-okdir"},
    HiddenEffect{"find", "-delete"},
    HiddenEffect{"find", "-fprint"},
    HiddenEffect{"find", "-fprint0"},
    HiddenEffect{"find", "-fprintf"},
    HiddenEffect{"find", "-fls"},
    HiddenEffect{"find", "-files0-from"},
    HiddenEffect{"fd", "-x"},
    HiddenEffect{"fd", "-X"},
    HiddenEffect{"fd", "--exec"},
    HiddenEffect{"fd", "--exec-batch"},
    // Debian's name for it.
    HiddenEffect{"fdfind", "-x"},
    HiddenEffect{"fdfind", "-X"},
    HiddenEffect{"fdfind", "--exec"},
    HiddenEffect{"fdfind", "--exec-batch"},
    HiddenEffect{"git", "--output"},
    HiddenEffect{"git", "--config-env"},
    HiddenEffect{"git", "--exec-path"},
    HiddenEffect{"git", "--exec"},
    HiddenEffect{"git", "--ext-diff"},
    HiddenEffect{"git", "--textconv"},
    HiddenEffect{"git", "--upload-pack"},
    HiddenEffect{"git", "--receive-pack"},
    HiddenEffect{"git", "--open-files-in-pager"},
    HiddenEffect{"git", "--git-dir"},
    HiddenEffect{"git", "--work-tree"},
    HiddenEffect{"git", "--template"},
    HiddenEffect{"git", "--output-directory"},
    HiddenEffect{"git", "-O"},
    HiddenEffect{"npm", "--script-shell"},
    HiddenEffect{"npm", "--prefix"},
    HiddenEffect{"npm", "--userconfig"},
    HiddenEffect{"npm", "--globalconfig"},
    HiddenEffect{"npm", "--node-options"},
    HiddenEffect{"sort", "-o"},
    HiddenEffect{"sort", "--output"},
    HiddenEffect{"sort", "--compress-program"},
    HiddenEffect{"sort", "-T"},
    HiddenEffect{"tree", "-o"},
    HiddenEffect{"tar", "--to-command"},
    HiddenEffect{"tar", "--checkpoint-action"},
    HiddenEffect{"tar", "--use-compress-program"},
    HiddenEffect{"tar", "--rsh-command"},
    HiddenEffect{"tar", "--rmt-command"},
    HiddenEffect{"tar", "--info-script"},
    HiddenEffect{"tar", "--new-volume-script"},
    HiddenEffect{"tar", "-I"},
    HiddenEffect{"tar", "-F"},
    HiddenEffect{"rg", "--pre"},
    HiddenEffect{"rg", "--hostname-bin"},
    HiddenEffect{"rg", "--search-zip"},
    HiddenEffect{"rg", "-z"},
    HiddenEffect{"sed", "-i"},
    HiddenEffect{"sed", "--in-place"},
    HiddenEffect{"rsync", "-e"},
    HiddenEffect{"rsync", "--rsh"},
    HiddenEffect{"rsync", "--rsync-path"},
    HiddenEffect{"scp", "-S"},
    HiddenEffect{"scp", "-o"},
    HiddenEffect{"man", "-P"},
    HiddenEffect{"man", "--pager"},
    HiddenEffect{"man", "-H"},
    HiddenEffect{"zip", "-TT"},
    HiddenEffect{"zip", "--unzip-command"},
    HiddenEffect{"tcpdump", "-z"},
    HiddenEffect{"go", "-exec"},
    HiddenEffect{"go", "-toolexec"},
    HiddenEffect{"make", "--eval"},
    HiddenEffect{"cargo", "--config"},
    HiddenEffect{"date", "-s"},
    HiddenEffect{"date", "--set"},
    HiddenEffect{"file", "-C"},
    HiddenEffect{"jq", "-L"},
    HiddenEffect{"less", "-o"},
    HiddenEffect{"less", "-O"},
    HiddenEffect{"curl", "-o"},
    HiddenEffect{"curl", "-O"},
    HiddenEffect{"curl", "--output"},
    HiddenEffect{"curl", "--output-dir"},
    HiddenEffect{"curl", "--remote-name"},
    HiddenEffect{"curl", "--remote-name-all"},
    HiddenEffect{"curl", "-K"},
    HiddenEffect{"curl", "--config"},
    HiddenEffect{"curl", "--dump-header"},
    HiddenEffect{"curl", "-D"},
    HiddenEffect{"curl", "-c"},
    HiddenEffect{"curl", "--cookie-jar"},
    HiddenEffect{"curl", "--trace"},
    HiddenEffect{"curl", "--trace-ascii"},
    HiddenEffect{"curl", "--stderr"},
    HiddenEffect{"curl", "--libcurl"},
    HiddenEffect{"curl", "--etag-save"},
    HiddenEffect{"curl", "--hsts"},
    HiddenEffect{"curl", "--alt-svc"},
    HiddenEffect{"wget", "-O"},
    HiddenEffect{"wget", "--output-document"},
    HiddenEffect{"wget", "-P"},
    HiddenEffect{"wget", "--use-askpass"},
    HiddenEffect{"wget", "-e"},
    HiddenEffect{"wget", "--execute"},
    HiddenEffect{"wget", "-o"},
    HiddenEffect{"wget", "-a"},
    HiddenEffect{"wget", "--output-file"},
    HiddenEffect{"wget", "--append-output"},
    HiddenEffect{"wget", "--directory-prefix"},
    HiddenEffect{"wget", "--config"},
    HiddenEffect{"wget", "--save-cookies"},
};

// `--outp=x` is `--output x` to GNU programs and to git.
bool is_spelling_of(std::string_view word, std::string_view flag) {
  if (word == flag) return true;
  if (flag.starts_with("--")) {
    const std::string_view name = word.substr(0, word.find('='));
    return name.starts_with("--") && name.size() > 2 && flag.starts_with(name);
  }
  // `-ofile`, and a letter in a bundle: `-uo file`. `find` has whole words behind one dash, and go
  // takes them with two and with `=value` as well.
  const bool letter = flag.size() == 2;
  if (!letter) {
    const std::string_view name = word.substr(0, word.find('='));
    return name == flag || (name.starts_with("--") && name.substr(1) == flag);
  }
  return word.size() > 1 && word[0] == '-' && word[1] != '-' &&
         word.find(flag[1]) != std::string_view::npos;
}

// `timeout -k 1 5 make`, `nice -10 make`: with flags they are not taken off in front of a command.
bool is_plain_wrapper(std::string_view name) {
  constexpr std::array<std::string_view, 7> k_names = {"time",    "nohup", "command", "builtin",
                                                       "timeout", "nice",  "stdbuf"};
  return among(k_names, name);
}

bool is_assignment(const ShellWord& word) {
  const std::size_t equals = word.text.find('=');
  return equals != std::string::npos && equals > 0 && !word.text.starts_with('-');
}

bool is_number(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789.smhd") == std::string_view::npos;
}

bool has_flag(const Words& words, std::string_view letters, std::string_view long_names) {
  return std::any_of(
      words.begin() + (words.empty() ? 0 : 1), words.end(), [&](const ShellWord& word) {
        const std::string& text = word.text;
        if (text.starts_with("--")) {
          return text.size() > 2 &&
                 long_names.find(text.substr(0, text.find('='))) != std::string_view::npos;
        }
        return text.starts_with('-') && text.find_first_of(letters, 1) != std::string::npos;
      });
}

bool stays_in_first_level(const Words& find) {
  for (std::size_t i = 1; i + 1 < find.size(); ++i) {
    const std::string& depth = find[i + 1].text;
    if (find[i].text == "-maxdepth" && (depth == "0" || depth == "1")) return true;
  }
  return false;
}

}  // namespace

std::string program_name(const ShellWord& word) {
  return word.text.substr(word.text.rfind('/') + 1);
}

Words without_wrappers(const Words& words) {
  constexpr std::array<std::string_view, 4> k_plain = {"time", "nohup", "command", "builtin"};
  std::size_t at = 0;
  while (at + 1 < words.size()) {
    const std::string& name = words[at].text;
    const std::string& next = words[at + 1].text;
    if (among(k_plain, name) && !next.starts_with('-')) {
      ++at;
    } else if (name == "timeout" && is_number(next) && at + 2 < words.size()) {
      at += 2;
    } else if (name == "nice" && next == "-n" && at + 3 < words.size()) {
      at += 3;
    } else if (name == "nice" && !next.starts_with('-')) {
      ++at;
    } else if (name == "stdbuf" && next.starts_with('-') && next.size() == 3 &&
               at + 2 < words.size()) {
      at += 2;
    } else {
      break;
    }
  }
  return {words.begin() + static_cast<std::ptrdiff_t>(at), words.end()};
}

Words without_git_options(const Words& words) {
  constexpr std::array<std::string_view, 6> k_with_value = {
      "-C", "-c", "--git-dir", "--work-tree", "--namespace", "--config-env"};
  Words out;
  bool behind_git = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool option = behind_git && words[i].text.starts_with('-');
    if (option && among(k_with_value, words[i].text)) ++i;
    if (option) continue;
    behind_git = program_name(words[i]) == "git";
    out.push_back(words[i]);
  }
  return out;
}

bool has_only_harmless_assignments(const SimpleCommand& command) {
  constexpr std::array<std::string_view, 7> k_harmless = {
      "LANG", "LC_ALL", "NO_COLOR", "NODE_ENV", "CI", "FORCE_COLOR", "TERM"};
  return std::all_of(command.assignments.begin(), command.assignments.end(), [&](const auto& one) {
    return among(k_harmless, one.first) && one.second.literal;
  });
}

bool runs_other_commands(const Words& words) {
  if (words.empty()) return false;
  const std::string name = program_name(words.front());
  if (among(k_command_runners, name) || among(k_package_runners, name)) return true;
  if (!among(k_container_tools, name)) return false;
  return std::any_of(words.begin() + 1, words.end(),
                     [](const ShellWord& word) { return among(k_container_verbs, word.text); });
}

bool has_hidden_effect(const Words& words) {
  if (words.empty()) return false;
  const std::string name = program_name(words.front());
  // Before the verb it sets any option, and options name programs; `git switch -c` makes a branch.
  if (name == "git") {
    for (std::size_t i = 1; i < words.size() && words[i].text.starts_with('-'); ++i) {
      if (words[i].text.starts_with("-c")) return true;
    }
  }
  if (git_runs_programs(words) || script_does_more(words)) return true;
  // `tar cIf zip x`: the first word is a bundle without its dash.
  if (name == "tar" && words.size() > 1 && !words[1].text.starts_with('-') &&
      words[1].text.find_first_of("IF") != std::string::npos) {
    return true;
  }
  return std::any_of(words.begin() + 1, words.end(), [&name](const ShellWord& word) {
    return std::any_of(k_hidden_effects.begin(), k_hidden_effects.end(),
                       [&](const HiddenEffect& one) {
                         return one.program == name && is_spelling_of(word.text, one.flag);
                       });
  });
}

bool takes_words_from_input(const Words& words) {
  return std::any_of(words.begin(), words.end(), [](const ShellWord& word) {
    const std::string name = program_name(word);
    return name == "xargs" || name == "parallel";
  });
}

namespace {

// `rest` begins with the program.
bool reads_its_directories(const std::string& name, const Words& rest) {
  constexpr std::array<std::string_view, 22> k_always = {
      "rg",      "ag",     "ack",       "ugrep",      "tar",         "bsdtar", "zip",   "7z",
      "7za",     "cpio",   "pax",       "rsync",      "rclone",      "jar",    "mount", "borg",
      "xorriso", "restic", "duplicity", "mksquashfs", "genisoimage", "mkisofs"};
  if (among(k_always, name)) return true;
  const bool greps = name == "grep" || name == "egrep" || name == "fgrep" || name == "zgrep";
  if (greps && has_flag(rest, "rRd", "--recursive --dereference-recursive --directories")) {
    return true;
  }
  if (name == "diff" && has_flag(rest, "r", "--recursive")) return true;
  if ((name == "cp" || name == "scp") && has_flag(rest, "rRa", "--recursive --archive")) {
    return true;
  }
  const auto has_word = [&rest](const auto& names) {
    return std::any_of(rest.begin() + 1, rest.end(),
                       [&names](const ShellWord& word) { return among(names, word.text); });
  };
  constexpr std::array<std::string_view, 4> k_of_git = {"grep", "archive", "bundle", "--no-index"};
  if (name == "git" && has_word(k_of_git)) return true;
  constexpr std::array<std::string_view, 3> k_modules = {"http.server", "zipfile", "tarfile"};
  if (name.starts_with("python") && has_word(k_modules)) return true;
  if ((name == "find" || name == "fd" || name == "fdfind") && has_hidden_effect(rest)) return true;
  return name == "mv" || (name == "ln" && rest.size() > 1);
}

bool lists_its_directories(const std::string& name, const Words& rest) {
  if (name == "fd" || name == "fdfind" || name == "tree" || name == "du") return true;
  if (name == "find" && !stays_in_first_level(rest)) return true;
  return (name == "ls" || name == "dir" || name == "vdir") && has_flag(rest, "R", "--recursive");
}

// The program, and behind one that runs others every word that could be one: which of them is the
// value of a flag, `timeout -k 1 5 tar`, only that program knows.
bool any_program(const Words& given, bool (*is_such)(const std::string&, const Words&)) {
  const Words words = without_wrappers(given);
  bool runs_others = false;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string name = program_name(words[i]);
    const Words rest{words.begin() + static_cast<std::ptrdiff_t>(i), words.end()};
    if (is_such(name, rest)) return true;
    runs_others = runs_others || runs_other_commands(rest) || is_plain_wrapper(name);
    if (!runs_others && !is_assignment(words[i])) return false;
  }
  return false;
}

}  // namespace

bool reads_whole_directories(const Words& words) {
  return any_program(words, reads_its_directories);
}

bool lists_whole_directories(const Words& words) {
  return any_program(words, lists_its_directories);
}

bool changes_named_files(const Words& given) {
  constexpr std::array<std::string_view, 21> k_changers = {
      "tee",   "cp",     "mv",    "ln",     "install", "touch", "mkdir",
      "rm",    "rmdir",  "dd",    "chmod",  "chown",   "chgrp", "truncate",
      "rsync", "unlink", "shred", "mkfifo", "mknod",   "patch", "split"};
  const Words words = without_wrappers(given);
  return std::any_of(words.begin(), words.end(), [&](const ShellWord& word) {
    const std::string name = program_name(word);
    if (among(k_changers, name)) return true;
    return name == "sed" && has_flag(words, "i", "--in-place");
  });
}

}  // namespace yume::permissions
