// SPDX-License-Identifier: MIT
// The first line is a path, the rest ignore rules; each line also serves as a glob. Whatever comes,
// nothing crashes or hangs, and a glob made of the path's own bytes, escaped, matches it.
#include "tools/search/ignore_rules.h"

#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace yume::tools::search;
  const std::string_view input(reinterpret_cast<const char*>(data), size);
  const std::size_t end = input.find('\n');
  const std::string_view path = input.substr(0, end);
  const std::string_view rules = end == std::string_view::npos ? "" : input.substr(end + 1);

  const IgnoreRules parsed = IgnoreRules::parse(rules);
  const std::string_view name = path.substr(path.rfind('/') + 1);
  for (const bool is_directory : {false, true}) {
    [[maybe_unused]] const Verdict verdict =
        parsed.judge({.path = path, .name = name, .is_directory = is_directory});
  }
  for (const Braces braces : {Braces::alternatives, Braces::literal}) {
    const auto glob = GlobPattern::compile(rules.substr(0, rules.find('\n')), braces);
    if (glob.ok()) [[maybe_unused]]
      const bool matched = glob->matches(path);
  }

  std::string escaped;
  for (const char c : path) escaped.append("\\").push_back(c);
  const auto itself = GlobPattern::compile(escaped, Braces::literal);
  if (itself.ok() && !itself->matches(path)) std::abort();
  return 0;
}
