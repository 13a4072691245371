// SPDX-License-Identifier: MIT
#include "permissions/paths.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "util/path_text.h"

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 21> k_protected_directories = {
    ".git",   ".yume",  ".claude", ".gemini",       ".codex", ".cursor",        ".vscode",
    ".idea",  ".husky", ".cargo",  ".devcontainer", ".yarn",  ".mvn",           ".ssh",
    ".gnupg", ".aws",   ".kube",   ".docker",       ".azure", ".config/gcloud", ".config/git"};

constexpr std::array<std::string_view, 40> k_protected_files = {".gitconfig",
                                                                ".gitmodules",
                                                                ".bashrc",
                                                                ".bash_profile",
                                                                ".bash_login",
                                                                ".bash_aliases",
                                                                ".bash_logout",
                                                                ".zshrc",
                                                                ".zprofile",
                                                                ".zshenv",
                                                                ".zlogin",
                                                                ".zlogout",
                                                                ".profile",
                                                                ".envrc",
                                                                ".npmrc",
                                                                ".yarnrc",
                                                                ".yarnrc.yml",
                                                                ".pnp.cjs",
                                                                ".pnp.loader.mjs",
                                                                ".pnpmfile.cjs",
                                                                "bunfig.toml",
                                                                ".bunfig.toml",
                                                                ".bazelrc",
                                                                ".bazelversion",
                                                                ".bazeliskrc",
                                                                ".ripgreprc",
                                                                ".mcp.json",
                                                                ".claude.json",
                                                                ".yume.json",
                                                                ".netrc",
                                                                ".pypirc",
                                                                ".pre-commit-config.yaml",
                                                                ".devcontainer.json",
                                                                "lefthook.yml",
                                                                "lefthook.yaml",
                                                                ".lefthook.yml",
                                                                ".lefthook.yaml",
                                                                "gradle-wrapper.properties",
                                                                "maven-wrapper.properties",
                                                                "pyrightconfig.json"};

// Below our own and Claude's folder, where work is done: .claude/worktrees/x is a checkout.
constexpr std::array<std::string_view, 3> k_open_again = {".yume/worktrees", ".yume/tmp",
                                                          ".claude/worktrees"};

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Words of a command with quotes taken off. What ends a command becomes the word ";", a redirection
// ">"; `$(` and a backtick leave a "$" behind, for what they print is unknown.
std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words(1);
  bool in_backticks = false;
  const auto separate = [&words](std::string_view mark) {
    if (!words.back().empty()) words.emplace_back();
    if (!mark.empty()) {
      words.back() = mark;
      words.emplace_back();
    }
  };
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    const char next = i + 1 < command.size() ? command[i + 1] : '\0';
    const char previous = i > 0 ? command[i - 1] : '\0';
    if (c == '`' && !in_backticks) words.back().push_back('$');
    if (c == '`') in_backticks = !in_backticks;
    if (c == ' ' || c == '\t') {
      separate("");
    } else if (c == '\\' && next == '\n') {
      ++i;  // the line goes on
    } else if (c == '&' && (previous == '>' || previous == '<' || next == '>')) {
      continue;  // part of a redirection
    } else if (c == '<' || c == '>') {
      separate(">");
    } else if (std::string_view(";|&()\n`").find(c) != std::string_view::npos) {
      separate(";");
    } else if (c != '"' && c != '\'' && c != '\\') {
      words.back().push_back(c);
    }
  }
  return words;
}

bool replace_prefix(std::string& text, std::string_view prefix, const std::string& by) {
  const bool whole = text == prefix || text.starts_with(std::string(prefix) + "/");
  if (whole) text.replace(0, prefix.size(), by);
  return whole;
}

bool is_vital(const fs::path& target, const fs::path& cwd, const fs::path& home) {
  if (target == target.root_path() || target.parent_path() == target.root_path()) return true;
  return is_inside(cwd, target) || (!home.empty() && is_inside(home, target));
}

// A pattern that leaves next to nothing out: `*`, `.*`, `**`, `.[!.]*`.
bool matches_everything(std::string_view name) {
  return name.find_first_of("*?") != std::string_view::npos &&
         name.find_first_not_of("*?.[]!^") == std::string_view::npos;
}

// Everything in a directory is as bad as the directory itself.
void strip_patterns(std::string& word) {
  for (;;) {
    while (word.size() > 1 && word.ends_with('/')) word.pop_back();
    const std::size_t slash = word.rfind('/');
    const bool relative = slash == std::string::npos;
    if (!matches_everything(std::string_view(word).substr(relative ? 0 : slash + 1))) return;
    if (relative) {
      word = ".";
      return;
    }
    word.resize(std::max<std::size_t>(slash, 1));
  }
}

// Where the shell stands, and what must stay.
struct Places {
  fs::path at;
  fs::path cwd;
  fs::path home;
};

bool is_vital_path(std::string word, const Places& places) {
  const fs::path& home = places.home;
  // Another user's home, or a directory the shell remembers: as unknown as a variable.
  if (word.starts_with("~") && word != "~" && !word.starts_with("~/")) word[0] = '$';
  for (const std::string_view name : {"~", "$HOME", "${HOME}"}) {
    if (replace_prefix(word, name, to_utf8(home))) {
      if (word.empty()) return true;
      break;
    }
  }
  for (const std::string_view name : {"$PWD", "${PWD}"}) {
    if (replace_prefix(word, name, to_utf8(places.at))) break;
  }
  if (word.empty()) return false;
  strip_patterns(word);
  // An unknown variable may be empty: `rm -rf "$DIR"/` is then `rm -rf /`.
  if (word.starts_with("$")) return word.find('/') == std::string::npos;
  fs::path target = (places.at / word).lexically_normal();
  if (!target.has_filename() && target.has_parent_path()) target = target.parent_path();
  return is_vital(target, places.cwd, home);
}

// Each alternative of `a{b,c}d` is a path of its own.
bool is_vital_word(const std::string& word, const Places& places, int depth) {
  constexpr int k_deepest = 6;
  std::size_t open = word.find('{');
  while (open != std::string::npos && open > 0 && word[open - 1] == '$') {
    open = word.find('{', open + 1);
  }
  const std::size_t close = open == std::string::npos ? open : word.find('}', open);
  if (close == std::string::npos) return is_vital_path(word, places);
  if (depth == k_deepest) return true;
  const std::string before = word.substr(0, open);
  const std::string after = word.substr(close + 1);
  for (std::size_t from = open + 1;;) {
    const std::size_t comma = std::min(word.find(',', from), close);
    const std::string one = before + word.substr(from, comma - from) + after;
    if (is_vital_word(one, places, depth + 1)) return true;
    if (comma == close) return false;
    from = comma + 1;
  }
}

// Where `cd word` leads; nothing when that depends on what only the shell knows.
std::optional<fs::path> directory_after(std::string word, const std::optional<fs::path>& at,
                                        const fs::path& home) {
  if (word == "~" || word.starts_with("~/")) word.replace(0, 1, to_utf8(home));
  if (word == "-" || word.find_first_of("$`*?[{~") != std::string::npos) return std::nullopt;
  if (word.starts_with("/")) return fs::path(word).lexically_normal();
  if (!at) return std::nullopt;
  return (*at / word).lexically_normal();
}

}  // namespace

bool is_inside(const fs::path& path, const fs::path& root) {
  const auto [root_end, rest] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return root_end == root.end() || (std::next(root_end) == root.end() && root_end->empty());
}

bool is_protected(const fs::path& path) {
  std::string previous;
  bool inside = false;
  for (const fs::path& component : path) {
    const std::string name = folded(to_utf8(component));
    const std::string pair = previous + "/" + name;
    const auto matches = [&](std::string_view entry) { return entry == name || entry == pair; };
    if (std::any_of(k_open_again.begin(), k_open_again.end(), matches)) {
      inside = false;
    } else if (std::any_of(k_protected_directories.begin(), k_protected_directories.end(),
                           matches)) {
      inside = true;
    }
    previous = name;
  }
  const auto& files = k_protected_files;
  return inside || std::find(files.begin(), files.end(), previous) != files.end();
}

namespace {

// Where platform/private_store keeps tokens. A project may well be called yume-cli.
bool is_in_token_cache(const std::vector<std::string>& names) {
  constexpr std::string_view k_in_tmp = "yume-cli-";
  if (names.size() > 4 && names[1] == "run" && names[2] == "user" && names[4] == "yume-cli") {
    return true;
  }
  return names.size() > 2 && names[1] == "tmp" && names[2].starts_with(k_in_tmp) &&
         names[2].find_first_not_of("0123456789", k_in_tmp.size()) == std::string::npos;
}

}  // namespace

bool is_never_opened(const fs::path& path) {
  constexpr std::array<std::string_view, 4> k_gcloud = {"application_default_credentials.json",
                                                        "credentials.db", "access_tokens.db",
                                                        "legacy_credentials"};
  constexpr std::array<std::string_view, 5> k_of_process = {"environ", "mem", "maps", "smaps",
                                                            "fd"};
  const auto among = [](const auto& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  // A search asks for every file it meets.
  const std::string text = folded(to_generic_utf8(path));
  const auto mentions = [&text](std::string_view part) { return text.find(part) != text.npos; };
  if (!mentions("gcloud") && !mentions("/yume-cli") && !mentions("/proc/")) return false;
  std::vector<std::string> names;
  for (const fs::path& component : fs::path(text)) names.push_back(to_utf8(component));
  for (std::size_t i = 1; i < names.size(); ++i) {
    if (names[i - 1] == "gcloud" && among(k_gcloud, names[i])) return true;
  }
  if (is_in_token_cache(names)) return true;
  const bool of_process = names.size() > 3 && names[1] == "proc" && names[2] != "sys";
  return of_process && std::any_of(names.begin() + 3, names.end(), [&](const std::string& name) {
           return among(k_of_process, name);
         });
}

bool removes_something_vital(std::string_view command, const fs::path& cwd, const fs::path& home) {
  enum class Reading { anything, removal, directory };
  Reading reading = Reading::anything;
  bool redirected = false;           // the next word names a file to write or read
  std::optional<fs::path> at = cwd;  // where the shell is; nothing when that is unknown
  for (const std::string& word : words_of(command)) {
    const std::string name = word.substr(word.rfind('/') + 1);
    if (word == ";") {
      if (reading == Reading::directory) at = home;  // a bare `cd`
      reading = Reading::anything;
      redirected = false;
    } else if (word == ">") {
      redirected = true;
    } else if (std::exchange(redirected, false) || word.empty()) {
      continue;
    } else if (name == "rm" || name == "rmdir") {
      reading = Reading::removal;
    } else if (word == "cd" || word == "pushd") {
      reading = Reading::directory;
    } else if (reading == Reading::directory && !word.starts_with("--")) {
      at = directory_after(word, at, home);
      reading = Reading::anything;
    } else if (reading == Reading::removal && !word.starts_with("-")) {
      const bool relative = !word.starts_with("/") && !word.starts_with("~");
      if (!at && relative) return true;
      if (is_vital_word(word, {at.value_or(cwd), cwd, home}, /*depth=*/0)) return true;
    }
  }
  return false;
}

}  // namespace yume::permissions
