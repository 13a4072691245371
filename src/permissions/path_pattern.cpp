// SPDX-License-Identifier: MIT
#include "permissions/path_pattern.h"

#include "permissions/name_folding.h"
#include "util/path_text.h"

#include <algorithm>

namespace yume::permissions {
namespace {

namespace fs = std::filesystem;

// Patterns are text, but a directory's own name is none: its `[` and `*` mean themselves.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("*?[\\").find(c) != std::string_view::npos) out.push_back('\\');
    out.push_back(c);
  }
  return out;
}

std::string below(const fs::path& directory, std::string_view rest) {
  std::string text = escaped(to_generic_utf8(directory));
  while (text.ends_with('/')) text.pop_back();
  return text + "/" + std::string(rest);
}

bool is_one_name_and_all_below(std::string_view spec) {
  return spec.ends_with("/**") && spec.find('/') == spec.size() - 3;
}

std::string absolute_pattern(const Rule& rule, RuleEffect effect, const PatternPlaces& places) {
  std::string_view spec = rule.spec;
  if (spec.find_first_not_of('/') == std::string_view::npos && spec.size() > 1) return "/";
  while (spec.size() > 1 && spec.ends_with('/')) spec.remove_suffix(1);
  if (spec.starts_with("//")) return std::string(spec.substr(1));
  if (spec == "~") return below(places.home, "");
  if (spec.starts_with("~/")) return below(places.home, spec.substr(2));
  const fs::path& anchor = rule.anchor.empty() ? places.cwd : rule.anchor;
  if (spec.starts_with("/")) return below(anchor, spec.substr(1));
  const bool here = spec.starts_with("./");
  if (here) return below(places.cwd, spec.substr(2));
  if (spec.find('/') == std::string_view::npos) return "/**/" + std::string(spec);
  if (effect != RuleEffect::allow && is_one_name_and_all_below(spec)) {
    return "/**/" + std::string(spec);
  }
  return below(places.cwd, spec);
}

// "/a/./b/../c" is "/a/c"; wildcards are names like others.
std::string normal(std::string_view pattern) {
  std::vector<std::string_view> names;
  for (std::size_t at = 0; at <= pattern.size();) {
    const std::size_t slash = std::min(pattern.find('/', at), pattern.size());
    const std::string_view name = pattern.substr(at, slash - at);
    if (name == "..") {
      if (!names.empty()) names.pop_back();
    } else if (!name.empty() && name != ".") {
      names.push_back(name);
    }
    at = slash + 1;
  }
  std::string out;
  for (const std::string_view name : names) out.append("/").append(name);
  return out.empty() ? "/" : out;
}

}  // namespace

PathPattern::PathPattern(const Rule& rule, RuleEffect effect, const PatternPlaces& places)
    : folds_(effect != RuleEffect::allow) {
  std::string pattern = normal(absolute_pattern(rule, effect, places));
  if (pattern == "/") pattern = "/**";
  std::string folded;
  if (folds_) {
    // Name by name: a `*` is no letter and stays.
    for (std::size_t at = 0; at < pattern.size();) {
      const std::size_t slash = std::min(pattern.find('/', at), pattern.size());
      folded.append(fold_name(std::string_view(pattern).substr(at, slash - at)));
      if (slash < pattern.size()) folded.push_back('/');
      at = slash + 1;
    }
  }
  compile(folds_ ? folded : pattern);
}

// Returns how many characters belong to the class, 0 when it is none.
std::size_t PathPattern::compile_class(std::string_view pattern) {
  std::size_t at = 1;
  const bool negated = at < pattern.size() && (pattern[at] == '!' || pattern[at] == '^');
  if (negated) ++at;
  CharacterSet set;
  for (bool first = true; at < pattern.size(); first = false) {
    if (pattern[at] == ']' && !first) {
      for (std::size_t c = 0; negated && c < 256; ++c) set.members[c] = !set.members[c];
      set.members[static_cast<unsigned char>('/')] = false;
      tokens_.push_back({.kind = Kind::one_of, .set = sets_.size()});
      sets_.push_back(set);
      return at + 1;
    }
    const auto low = static_cast<unsigned char>(pattern[at]);
    const bool range = at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']';
    const auto high = range ? static_cast<unsigned char>(pattern[at + 2]) : low;
    for (unsigned c = low; c <= high; ++c) set.members[c] = true;
    at += range ? 3 : 1;
  }
  return 0;
}

void PathPattern::compile(std::string_view pattern) {
  for (std::size_t at = 0; at < pattern.size(); ++at) {
    const char c = pattern[at];
    if (c == '?') {
      tokens_.push_back({.kind = Kind::any_one});
    } else if (c == '[') {
      const std::size_t length = compile_class(pattern.substr(at));
      if (length > 0) {
        at += length - 1;
      } else {
        tokens_.push_back({.kind = Kind::character, .character = '['});
      }
    } else if (c == '\\' && at + 1 < pattern.size()) {
      ++at;
      tokens_.push_back({.character = static_cast<unsigned char>(pattern[at])});
    } else if (c != '*') {
      tokens_.push_back({.character = static_cast<unsigned char>(c)});
    } else if (at + 1 >= pattern.size() || pattern[at + 1] != '*') {
      tokens_.push_back({.kind = Kind::any_in_name});
    } else {
      while (at + 1 < pattern.size() && pattern[at + 1] == '*') ++at;
      const bool directories = at + 1 < pattern.size() && pattern[at + 1] == '/';
      if (directories) ++at;
      tokens_.push_back({.kind = directories ? Kind::directories : Kind::any});
    }
  }
}

void PathPattern::skip_empty(std::vector<char>& reached, bool name_begins) const {
  for (std::size_t i = 0; i < tokens_.size(); ++i) {
    if (reached[i] == 0) continue;
    const Kind kind = tokens_[i].kind;
    const bool empty = kind == Kind::any || kind == Kind::any_in_name ||
                       (kind == Kind::directories && name_begins);
    if (empty) reached[i + 1] = 1;
  }
}

// Which tokens are done after the text: all of them means that it matches.
std::vector<char> PathPattern::run(std::string_view text) const {
  std::vector<char> reached(tokens_.size() + 1, 0);
  reached[0] = 1;
  skip_empty(reached, true);
  std::vector<char> next(reached.size(), 0);
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    // A directory that matches covers what is in it.
    if (c == '/' && reached.back() != 0) return reached;
    std::fill(next.begin(), next.end(), 0);
    for (std::size_t i = 0; i < tokens_.size(); ++i) {
      if (reached[i] == 0) continue;
      const Token& token = tokens_[i];
      const bool advances = (token.kind == Kind::character && token.character == byte) ||
                            (token.kind == Kind::any_one && c != '/') ||
                            (token.kind == Kind::one_of && sets_[token.set].members[byte]);
      const bool stays = token.kind == Kind::any || token.kind == Kind::directories ||
                         (token.kind == Kind::any_in_name && c != '/');
      if (advances) next[i + 1] = 1;
      if (stays) next[i] = 1;
    }
    reached.swap(next);
    skip_empty(reached, c == '/');
  }
  return reached;
}

std::string PathPattern::comparable(const fs::path& path) const {
  if (!folds_) {
    std::string text = to_generic_utf8(path);
    return text.starts_with('/') ? text : "/" + text;  // that of a drive, as patterns have it
  }
  std::string out;
  for (const fs::path& name : path) {
    const std::string text = to_generic_utf8(name);
    if (text == "/" || text.empty()) continue;
    out.append("/").append(fold_name(text));
  }
  return out.empty() ? "/" : out;
}

bool PathPattern::matches(const fs::path& path) const {
  return run(comparable(path)).back() != 0;
}

bool PathPattern::reaches_into(const fs::path& directory) const {
  std::string text = comparable(directory);
  if (!text.ends_with('/')) text.push_back('/');
  const std::vector<char> reached = run(text);
  return std::find(reached.begin(), reached.end(), 1) != reached.end();
}

}  // namespace yume::permissions
