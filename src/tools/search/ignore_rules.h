// SPDX-License-Identifier: MIT
// What .gitignore, .ignore and .rgignore files say about a path, with git's rules inside a file and
// ripgrep's order between files. Pure: somebody else reads the files (ignore_stack).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tools/search/glob_pattern.h"

namespace yume::tools::search {

enum class Verdict { none, ignore, keep };

// An entry as seen from the directory the rules belong to.
struct Candidate {
  std::string_view path;  // relative, `/` between components
  std::string_view name;  // its last component
  bool is_directory = false;
};

class IgnoreRules {
 public:
  // Lines that are no usable pattern are left out, as git does.
  static IgnoreRules parse(std::string_view text);

  // The last rule that matches decides. Says nothing of parents: a file in an ignored directory is
  // never asked for.
  [[nodiscard]] Verdict judge(const Candidate& entry) const;
  [[nodiscard]] bool empty() const { return rules_.empty(); }
  // Adds one glob as ripgrep's --glob takes it: `!` excludes, all others choose.
  Result<void> add_override(std::string_view glob);

 private:
  struct Rule {
    GlobPattern glob;
    Verdict verdict = Verdict::ignore;
    bool only_directories = false;
    bool whole_path = false;  // else the name alone is compared
  };

  static Result<Rule> parse_pattern(std::string_view pattern, Braces braces);

  std::vector<Rule> rules_;
};

}  // namespace yume::tools::search
