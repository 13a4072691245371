// SPDX-License-Identifier: MIT
// Files that a text names by `@path`: in prompts, in commands, and as imports of instruction files.
// Says only what could be meant; whether such a file exists is for others to look. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume {

struct LineRange {
  std::int64_t first = 1;
  std::int64_t last = 1;

  friend bool operator==(const LineRange&, const LineRange&) = default;
};

// One way to read a mention.
struct NamedPath {
  std::string path;
  std::optional<LineRange> lines = std::nullopt;  // `#L3` or `#L3-9`

  friend bool operator==(const NamedPath&, const NamedPath&) = default;
};

// As it stands first, then without the punctuation behind it: the first that exists is meant.
using AtMention = std::vector<NamedPath>;

enum class CodeBlocks { count, are_skipped };

// `@path`, `@"path with blanks"` and `@path\ with\ blanks` at the start of a word, in their order.
std::vector<AtMention> find_mentions(std::string_view text, CodeBlocks code = CodeBlocks::count);

}  // namespace yume
