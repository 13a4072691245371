// SPDX-License-Identifier: MIT
#include "tools/search/glob_pattern.h"

#include <cctype>

namespace yume::tools::search {
namespace {

constexpr std::size_t k_most_alternatives = 10'000;
constexpr std::size_t k_most_expanded = 1U << 20U;  // bytes of all alternatives together
constexpr std::size_t k_longest_glob = 10'000;
constexpr std::size_t k_none = std::string_view::npos;

Error bad_glob(std::string_view text, std::string_view why) {
  return Error{.code = ErrorCode::invalid_argument,
               .message = "error parsing glob '" + std::string(text.substr(0, 200)) +
                          "': " + std::string(why)};
}

struct Choice {
  std::size_t open = k_none;
  std::size_t close = k_none;
  std::vector<std::string_view> parts;
};

// The first brace group at the outermost level.
Result<Choice> first_choice(std::string_view text) {
  Choice choice;
  std::size_t depth = 0;
  std::size_t start = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '{') {
      if (depth++ == 0) {
        choice.open = i;
        start = i + 1;
      }
    } else if (depth == 1 && (text[i] == ',' || text[i] == '}')) {
      choice.parts.push_back(text.substr(start, i - start));
      start = i + 1;
      if (text[i] == '}') {
        choice.close = i;
        return choice;
      }
    } else if (depth > 1 && text[i] == '}') {
      --depth;
    }
  }
  if (depth > 0) return bad_glob(text, "unclosed alternate group; missing '}'");
  return choice;
}

using ClassTest = int (*)(int);

ClassTest class_test(std::string_view name) {
  if (name == "alpha") return std::isalpha;
  if (name == "digit") return std::isdigit;
  if (name == "alnum") return std::isalnum;
  if (name == "upper") return std::isupper;
  if (name == "lower") return std::islower;
  if (name == "space") return std::isspace;
  if (name == "punct") return std::ispunct;
  if (name == "xdigit") return std::isxdigit;
  return nullptr;
}

unsigned char byte_of(char c) {
  return static_cast<unsigned char>(c);
}

}  // namespace

Result<std::vector<std::string>> expand_braces(std::string_view text) {
  if (text.size() > k_longest_glob) return bad_glob(text, "longer than 10,000 bytes");
  std::vector<std::string> pending{std::string(text)};
  std::vector<std::string> done;
  std::size_t expanded = 0;
  while (!pending.empty()) {
    const std::string next = std::move(pending.back());
    pending.pop_back();
    YUME_TRY(const Choice choice, first_choice(next));
    if (choice.close == k_none) {
      expanded += next.size();
      done.push_back(next);
    } else {
      const std::string_view whole = next;
      for (auto part = choice.parts.rbegin(); part != choice.parts.rend(); ++part) {
        pending.push_back(std::string(whole.substr(0, choice.open))
                              .append(*part)
                              .append(whole.substr(choice.close + 1)));
      }
    }
    if (pending.size() + done.size() > k_most_alternatives || expanded > k_most_expanded) {
      return bad_glob(text, "more than 10,000 alternatives, or too long ones");
    }
  }
  return done;
}

Result<GlobPattern> GlobPattern::compile(std::string_view text, Braces braces) {
  std::vector<std::string> texts;
  if (braces == Braces::alternatives) {
    YUME_TRY(texts, expand_braces(text));
  } else if (text.size() > k_longest_glob) {
    return bad_glob(text, "longer than 10,000 bytes");
  } else {
    texts.emplace_back(text);
  }
  GlobPattern glob;
  for (const std::string& one : texts) {
    YUME_TRY(Alternative alternative, glob.compile_one(one));
    find_shape(alternative);
    glob.alternatives_.push_back(std::move(alternative));
  }
  return glob;
}

Result<GlobPattern::Alternative> GlobPattern::compile_one(std::string_view text) {
  Alternative made;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '\\') {
      if (++i == text.size()) return bad_glob(text, "dangling '\\'");
      made.tokens.push_back({.kind = Kind::literal, .literal = text[i]});
    } else if (c == '?') {
      made.tokens.push_back({.kind = Kind::any_one});
    } else if (c == '[') {
      YUME_TRY(const std::size_t end, add_set(text, i));
      made.tokens.push_back({.kind = Kind::one_of, .set = sets_.size() - 1});
      i = end;
    } else if (c != '*') {
      made.tokens.push_back({.kind = Kind::literal, .literal = c});
    } else {
      const std::size_t first = i;
      while (i + 1 < text.size() && text[i + 1] == '*') ++i;
      // Two asterisks mean directories only when they stand alone between slashes.
      const bool starts = first == 0 || text[first - 1] == '/';
      const bool doubled = i - first == 1 && starts;
      if (doubled && i + 1 < text.size() && text[i + 1] == '/') {
        made.tokens.push_back({.kind = Kind::directories});
        ++i;
      } else if (doubled && i + 1 == text.size()) {
        made.tokens.push_back({.kind = Kind::everything});
      } else {
        made.tokens.push_back({.kind = Kind::any_in_component});
      }
    }
  }
  return made;
}

// `[` stands at `at`; the answer is where its `]` stands.
Result<std::size_t> GlobPattern::add_set(std::string_view text, std::size_t at) {
  std::bitset<256> set;
  std::size_t i = at + 1;
  const bool negated = i < text.size() && (text[i] == '!' || text[i] == '^');
  if (negated) ++i;
  for (bool first = true;; first = false) {
    if (i >= text.size()) return bad_glob(text, "unclosed character class; missing ']'");
    if (text[i] == ']' && !first) break;
    if (text.substr(i).starts_with("[:")) {
      const std::size_t end = text.find(":]", i);
      const ClassTest test = end == k_none ? nullptr : class_test(text.substr(i + 2, end - i - 2));
      if (test == nullptr) return bad_glob(text, "unknown character class");
      for (int c = 0; c < 128; ++c) {
        if (test(c) != 0) set.set(static_cast<std::size_t>(c));
      }
      i = end + 2;
      continue;
    }
    if (text[i] == '\\' && i + 1 < text.size()) ++i;
    const unsigned char low = byte_of(text[i++]);
    unsigned char high = low;
    if (i + 1 < text.size() && text[i] == '-' && text[i + 1] != ']') {
      if (text[++i] == '\\' && i + 1 < text.size()) ++i;
      high = byte_of(text[i++]);
    }
    for (unsigned c = low; c <= high; ++c) set.set(c);
  }
  if (negated) set.flip();
  set.reset('/');
  sets_.push_back(set);
  return i;
}

void GlobPattern::find_shape(Alternative& alternative) {
  const std::vector<Token>& tokens = alternative.tokens;
  std::size_t first = 0;
  Shape shape = Shape::name;
  if (!tokens.empty() && tokens[0].kind == Kind::any_in_component) {
    first = 1;
    shape = Shape::suffix;
  } else if (tokens.size() > 1 && tokens[0].kind == Kind::directories &&
             tokens[1].kind == Kind::any_in_component) {
    first = 2;
    shape = Shape::deep_suffix;
  }
  for (std::size_t i = first; i < tokens.size(); ++i) {
    if (tokens[i].kind != Kind::literal) return;
    if (first > 0 && tokens[i].literal == '/') return;
    alternative.text.push_back(tokens[i].literal);
  }
  alternative.shape = shape;
}

bool GlobPattern::matches(std::string_view path) const {
  for (const Alternative& alternative : alternatives_) {
    bool found = false;
    switch (alternative.shape) {
      case Shape::name:
        found = path == alternative.text;
        break;
      case Shape::suffix:
        found = path.ends_with(alternative.text) && path.find('/') == k_none;
        break;
      case Shape::deep_suffix:
        found = path.ends_with(alternative.text);
        break;
      case Shape::general:
        found = matches_tokens(alternative.tokens, path);
    }
    if (found) return true;
  }
  return false;
}

// How many bytes at `at` the token takes; 0 when it does not match there.
std::size_t GlobPattern::step(const Token& token, std::string_view path, std::size_t at) const {
  if (at >= path.size()) return 0;
  if (token.kind == Kind::literal) return path[at] == token.literal ? 1 : 0;
  if (token.kind == Kind::one_of) return sets_[token.set].test(byte_of(path[at])) ? 1 : 0;
  if (path[at] == '/') return 0;
  std::size_t length = 1;  // any_one takes a whole UTF-8 character
  while (byte_of(path[at]) >= 0xC0U && at + length < path.size() &&
         (byte_of(path[at + length]) & 0xC0U) == 0x80U) {
    ++length;
  }
  return length;
}

// Greedy with two places to go back to: the last `*`, and the last `**/`, behind which any earlier
// `*` no longer matters.
bool GlobPattern::matches_tokens(const std::vector<Token>& tokens, std::string_view path) const {
  std::size_t i = 0;
  std::size_t at = 0;
  std::size_t after_star = k_none;
  std::size_t star_at = 0;
  std::size_t after_directories = k_none;
  std::size_t directories_at = 0;
  for (;;) {
    if (i == tokens.size()) {
      if (at == path.size()) return true;
    } else if (tokens[i].kind == Kind::any_in_component) {
      after_star = ++i;
      star_at = at;
      continue;
    } else if (tokens[i].kind == Kind::directories) {
      after_directories = ++i;
      directories_at = at;
      after_star = k_none;
      continue;
    } else if (tokens[i].kind == Kind::everything) {
      if (at < path.size()) return true;
    } else if (const std::size_t length = step(tokens[i], path, at); length > 0) {
      at += length;
      ++i;
      continue;
    }
    if (after_star != k_none && star_at < path.size() && path[star_at] != '/') {
      at = ++star_at;
      i = after_star;
      continue;
    }
    if (after_directories == k_none) return false;
    const std::size_t slash = path.find('/', directories_at);
    if (slash == k_none) return false;
    at = directories_at = slash + 1;
    i = after_directories;
    after_star = k_none;
  }
}

}  // namespace yume::tools::search
