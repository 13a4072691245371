// SPDX-License-Identifier: MIT
#include "permissions/vital_paths.h"

#include "permissions/path_pattern.h"
#include "permissions/protected_paths.h"
#include "util/path_text.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view k_below_root[] = {
    "bin",    "boot",    "dev",          "etc",     "home",    "lib",   "lib64",
    "media",  "mnt",     "opt",          "proc",    "root",    "run",   "sbin",
    "srv",    "sys",     "tmp",          "usr",     "var",     "nix",   "Users",
    "System", "Library", "Applications", "Volumes", "private", "cores", "Windows"};

bool replace_prefix(std::string& text, std::string_view prefix, const std::string& by) {
  const bool whole = text == prefix || text.starts_with(std::string(prefix) + "/");
  if (whole) text.replace(0, prefix.size(), by);
  return whole;
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

// What a variable stands for may be anything: `a/$X/b` as `a/**/b`.
std::string with_holes(std::string_view word) {
  std::string out;
  for (std::size_t i = 0; i < word.size(); ++i) {
    if (word[i] != '$') {
      out.push_back(word[i]);
      continue;
    }
    out.append("**");
    if (i + 1 < word.size() && word[i + 1] == '{') {
      i = std::min(word.find('}', i), word.size() - 1);
      continue;
    }
    const auto in_name = [](char c) {
      return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    };
    while (i + 1 < word.size() && in_name(word[i + 1])) ++i;
  }
  return out;
}

std::size_t opening_brace(const std::string& word) {
  std::size_t open = word.find('{');
  while (open != std::string::npos && open > 0 && word[open - 1] == '$') {
    open = word.find('{', open + 1);
  }
  return open;
}

}  // namespace

VitalPaths::VitalPaths(fs::path cwd, fs::path home, FileNames names)
    : cwd_(std::move(cwd)), home_(std::move(home)), names_(std::move(names)) {
  for (const std::string_view name : k_below_root) all_.push_back(fs::path("/") / name);
  for (const fs::path& place : {cwd_, home_}) {
    for (fs::path one = place; one.has_relative_path(); one = one.parent_path()) {
      all_.push_back(one);
    }
  }
}

bool VitalPaths::is_vital(const fs::path& target) const {
  if (target == target.root_path() || target.parent_path() == target.root_path()) return true;
  return is_inside(cwd_, target) || (!home_.empty() && is_inside(home_, target));
}

// A link to a vital directory may go; what is in it (`link/*`, `link/`) may not.
bool VitalPaths::leads_to_vital(const fs::path& target, bool into) const {
  if (!names_) return false;
  const std::vector<fs::path> names = all_names(into ? target : target.parent_path(), names_);
  return std::any_of(names.begin(), names.end(), [&](const fs::path& name) {
    return is_vital(into ? name : name / target.filename());
  });
}

bool VitalPaths::could_be_vital(const std::string& word, const fs::path& at) const {
  const std::string pattern = with_holes(word);
  const bool anywhere = pattern.starts_with("**");
  Rule rule{.tool = "Read",
            .spec = anywhere                   ? "//" + pattern
                    : pattern.starts_with('/') ? "/" + pattern
                                               : "./" + pattern};
  const PathPattern matcher(rule, RuleEffect::allow, {.cwd = at, .home = home_});
  return std::any_of(all_.begin(), all_.end(), [&matcher](const fs::path& vital) {
    // A directory above it is one of the others.
    return matcher.matches(vital);
  });
}

bool VitalPaths::path_is_vital(std::string word, bool literal, Patterns patterns,
                               const fs::path& at) const {
  if (!literal || word.starts_with("~")) {
    // Another user's home, or a directory the shell remembers: as unknown as a variable.
    if (word.starts_with("~") && word != "~" && !word.starts_with("~/")) word[0] = '$';
    for (const std::string_view name : {"~", "$HOME", "${HOME}"}) {
      if (replace_prefix(word, name, to_utf8(home_))) {
        if (word.empty()) return true;
        break;
      }
    }
    for (const std::string_view name : {"$PWD", "${PWD}"}) {
      if (replace_prefix(word, name, to_utf8(at))) break;
    }
  }
  if (word.empty()) return false;
  bool into = word.ends_with('/') || word.ends_with("/.");
  if (!literal && patterns == Patterns::contents_count) {
    const std::size_t before = word.size();
    strip_patterns(word);
    into = into || word.size() < before;
  }
  // An unknown variable may be empty: `rm -rf "$DIR"/` is then `rm -rf /`.
  if (!literal && word.starts_with("$") && word.find('/') == std::string::npos) return true;
  if (!literal && could_be_vital(word, at)) return true;
  if (!literal && word.starts_with("$")) return false;
  const fs::path given = at / path_from_utf8(word);
  fs::path target = given.lexically_normal();
  if (!target.has_filename() && target.has_parent_path()) target = target.parent_path();
  return is_vital(target) || leads_to_vital(with_parents_kept(given), into);
}

// Each alternative of `a{b,c}d` is a path of its own.
bool VitalPaths::word_is_vital(const std::string& word, bool literal, Patterns patterns,
                               const fs::path& at, int depth) const {
  constexpr int k_deepest = 6;
  const std::size_t open = literal ? std::string::npos : opening_brace(word);
  const std::size_t close = open == std::string::npos ? open : word.find('}', open);
  if (close == std::string::npos) return path_is_vital(word, literal, patterns, at);
  if (depth == k_deepest) return true;
  const std::string before = word.substr(0, open);
  const std::string after = word.substr(close + 1);
  for (std::size_t from = open + 1;;) {
    const std::size_t comma = std::min(word.find(',', from), close);
    const std::string one = before + word.substr(from, comma - from) + after;
    if (word_is_vital(one, literal, patterns, at, depth + 1)) return true;
    if (comma == close) return false;
    from = comma + 1;
  }
}

bool VitalPaths::covers_contents(const ShellWord& word, const std::optional<fs::path>& at) const {
  const bool relative = !word.text.starts_with("/") && !word.text.starts_with("~");
  if (!at && relative) return true;
  return word_is_vital(word.text, word.literal && !word.tilde, Patterns::contents_count,
                       at.value_or(cwd_), /*depth=*/0);
}

bool VitalPaths::covers(const ShellWord& word, const std::optional<fs::path>& at) const {
  if (!word.literal && matches_everything(word.text)) return false;
  return word_is_vital(word.text, word.literal && !word.tilde, Patterns::contents_do_not,
                       at.value_or(cwd_), /*depth=*/0);
}

std::optional<fs::path> VitalPaths::directory_after(const std::string& given,
                                                    const std::optional<fs::path>& at) const {
  std::string word = given;
  if (word == "~" || word.starts_with("~/")) word.replace(0, 1, to_utf8(home_));
  if (word == "-" || word.find_first_of("$`*?[{~") != std::string::npos) return std::nullopt;
  if (!word.starts_with("/") && !at) return std::nullopt;
  fs::path directory = (at.value_or(cwd_) / path_from_utf8(word)).lexically_normal();
  if (!directory.has_filename() && directory.has_relative_path())
    directory = directory.parent_path();
  return directory;
}

}  // namespace yume::permissions
