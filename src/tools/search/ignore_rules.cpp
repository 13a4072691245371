// SPDX-License-Identifier: MIT
#include "tools/search/ignore_rules.h"

#include <utility>

namespace yume::tools::search {
namespace {

constexpr std::string_view k_bom = "\xEF\xBB\xBF";

// Spaces at the end do not count unless a backslash protects them.
std::string_view without_trailing_spaces(std::string_view line) {
  while (line.ends_with(' ')) {
    std::size_t slashes = 0;
    while (slashes + 1 < line.size() && line[line.size() - 2 - slashes] == '\\') ++slashes;
    if (slashes % 2 == 1) break;
    line.remove_suffix(1);
  }
  return line;
}

}  // namespace

IgnoreRules IgnoreRules::parse(std::string_view text) {
  IgnoreRules made;
  if (text.starts_with(k_bom)) text.remove_prefix(k_bom.size());
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    text = end == std::string_view::npos ? "" : text.substr(end + 1);
    if (line.ends_with('\r')) line.remove_suffix(1);
    line = without_trailing_spaces(line);
    if (line.empty() || line.front() == '#') continue;
    const bool negated = line.front() == '!';
    if (negated) line.remove_prefix(1);
    auto rule = parse_pattern(line, Braces::literal);
    if (!rule.ok()) continue;
    rule->verdict = negated ? Verdict::keep : Verdict::ignore;
    made.rules_.push_back(std::move(rule).value());
  }
  return made;
}

Result<IgnoreRules::Rule> IgnoreRules::parse_pattern(std::string_view pattern, Braces braces) {
  bool only_directories = false;
  if (pattern.ends_with('/')) {
    only_directories = true;
    pattern.remove_suffix(1);
  }
  // A slash anywhere ties the pattern to the directory of its file.
  const bool whole_path = pattern.find('/') != std::string_view::npos;
  if (pattern.starts_with('/')) pattern.remove_prefix(1);
  if (pattern.empty()) {
    return Error{.code = ErrorCode::invalid_argument, .message = "the pattern is empty"};
  }
  YUME_TRY(GlobPattern glob, GlobPattern::compile(pattern, braces));
  return Rule{
      .glob = std::move(glob), .only_directories = only_directories, .whole_path = whole_path};
}

Result<void> IgnoreRules::add_override(std::string_view glob) {
  const bool excludes = glob.starts_with('!');
  if (excludes) glob.remove_prefix(1);
  auto rule = parse_pattern(glob, Braces::alternatives);
  if (!rule.ok()) return std::move(rule).error();
  rule->verdict = excludes ? Verdict::ignore : Verdict::keep;
  rules_.push_back(std::move(rule).value());
  return {};
}

Verdict IgnoreRules::judge(const Candidate& entry) const {
  for (auto rule = rules_.rbegin(); rule != rules_.rend(); ++rule) {
    if (rule->only_directories && !entry.is_directory) continue;
    if (rule->glob.matches(rule->whole_path ? entry.path : entry.name)) return rule->verdict;
  }
  return Verdict::none;
}

}  // namespace yume::tools::search
