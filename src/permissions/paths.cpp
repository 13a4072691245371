// SPDX-License-Identifier: MIT
#include "permissions/paths.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 20> k_protected_directories = {
    ".git",   ".yume",  ".claude", ".gemini",       ".codex", ".cursor",       ".vscode",
    ".idea",  ".husky", ".cargo",  ".devcontainer", ".yarn",  ".mvn",          ".ssh",
    ".gnupg", ".aws",   ".kube",   ".docker",       ".azure", ".config/gcloud"};

constexpr std::array<std::string_view, 33> k_protected_files = {
    ".gitconfig",        ".gitmodules",   ".bashrc",         ".bash_profile",
    ".bash_login",       ".bash_aliases", ".bash_logout",    ".zshrc",
    ".zprofile",         ".zshenv",       ".zlogin",         ".zlogout",
    ".profile",          ".envrc",        ".npmrc",          ".yarnrc",
    ".yarnrc.yml",       ".pnp.cjs",      ".pnp.loader.mjs", ".pnpmfile.cjs",
    "bunfig.toml",       ".bunfig.toml",  ".bazelrc",        ".bazelversion",
    ".bazeliskrc",       ".ripgreprc",    ".mcp.json",       ".claude.json",
    ".yume.json",        ".netrc",        ".pypirc",         ".pre-commit-config.yaml",
    ".devcontainer.json"};

std::string folded(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  return out;
}

// Words of a command with quotes taken off; separators become words of their own.
std::vector<std::string> words_of(std::string_view command) {
  std::vector<std::string> words(1);
  const auto separate = [&words](std::string_view mark) {
    if (!words.back().empty()) words.emplace_back();
    if (!mark.empty()) {
      words.back() = mark;
      words.emplace_back();
    }
  };
  for (const char c : command) {
    if (c == ' ' || c == '\t') {
      separate("");
    } else if (std::string_view(";|&()<>\n`").find(c) != std::string_view::npos) {
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

bool is_vital_word(std::string word, const fs::path& cwd, const fs::path& home) {
  for (const std::string_view name : {"~", "$HOME", "${HOME}"}) {
    if (replace_prefix(word, name, home.string())) break;
  }
  for (const std::string_view name : {"$PWD", "${PWD}"}) {
    if (replace_prefix(word, name, cwd.string())) break;
  }
  // Everything in a directory is as bad as the directory itself.
  while (word.ends_with("/*") || word.ends_with("/.*")) word.resize(word.rfind('/') + 1);
  if (word == "*" || word == ".*") word = ".";
  // An unknown variable may be empty: `rm -rf "$DIR"/` is then `rm -rf /`.
  if (word.starts_with("$")) {
    const std::size_t slash = word.find('/');
    return slash == std::string::npos || slash + 1 == word.size();
  }
  if (word.empty()) return false;
  fs::path target = (cwd / word).lexically_normal();
  if (!target.has_filename() && target.has_parent_path()) target = target.parent_path();
  return is_vital(target, cwd, home);
}

}  // namespace

bool is_inside(const fs::path& path, const fs::path& root) {
  const auto [root_end, rest] = std::mismatch(root.begin(), root.end(), path.begin(), path.end());
  return root_end == root.end() || (std::next(root_end) == root.end() && root_end->empty());
}

bool is_protected(const fs::path& path) {
  std::string previous;
  for (const fs::path& component : path) {
    const std::string name = folded(component.string());
    const auto matches = [&](std::string_view entry) {
      return entry == name || entry == previous + "/" + name;
    };
    if (std::any_of(k_protected_directories.begin(), k_protected_directories.end(), matches)) {
      return true;
    }
    previous = name;
  }
  const auto& files = k_protected_files;
  return std::find(files.begin(), files.end(), previous) != files.end();
}

bool removes_something_vital(std::string_view command, const fs::path& cwd, const fs::path& home) {
  bool removing = false;
  for (const std::string& word : words_of(command)) {
    if (word == ";") {
      removing = false;
    } else if (word == "rm" || word == "rmdir" || word.ends_with("/rm") ||
               word.ends_with("/rmdir")) {
      removing = true;
    } else if (removing && !word.starts_with("-") && is_vital_word(word, cwd, home)) {
      return true;
    }
  }
  return false;
}

}  // namespace yume::permissions
