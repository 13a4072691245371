// SPDX-License-Identifier: MIT
// The paths of `Read(...)` and `Edit(...)`: gitignore's patterns with Claude's anchors. `//x` is
// absolute, `~/x` below home, `/x` below the place of the rule, `x/y` and `./x` below the working
// directory; a bare name matches at any depth. `*` and `?` stay within a name, `**` crosses them,
// `[a-z]` is a class. What matches a directory matches everything in it. Pure; takes time in
// proportion to pattern times path, whatever they are.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "permissions/rule.h"

namespace yume::permissions {

struct PatternPlaces {
  std::filesystem::path cwd;
  std::filesystem::path home;
};

class PathPattern {
 public:
  // A denial compares names without regard to case and look-alikes, and `src/**` at any depth.
  PathPattern(const Rule& rule, RuleEffect effect, const PatternPlaces& places);

  [[nodiscard]] bool matches(const std::filesystem::path& path) const;
  // Whether a path below this directory could match.
  [[nodiscard]] bool reaches_into(const std::filesystem::path& directory) const;

 private:
  enum class Kind { character, any_one, any_in_name, any, directories, one_of };
  struct Token {
    Kind kind = Kind::character;
    unsigned char character = 0;
    std::size_t set = 0;  // in sets_
  };
  struct CharacterSet {
    bool members[256] = {};
  };

  void compile(std::string_view pattern);
  std::size_t compile_class(std::string_view pattern);
  [[nodiscard]] std::vector<char> run(std::string_view text) const;
  [[nodiscard]] std::string comparable(const std::filesystem::path& path) const;
  void skip_empty(std::vector<char>& reached, bool name_begins) const;

  bool folds_ = false;
  std::vector<Token> tokens_;
  std::vector<CharacterSet> sets_;
};

}  // namespace yume::permissions
