// SPDX-License-Identifier: MIT
// The difference between two texts, line by line, and as a patch. Pure; the cost is bounded
// whatever the texts are.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/tool_details.h"

namespace yume::tools {

// Lines with their ends ("\n", and what is before it), so that joining them gives the text again.
std::vector<std::string_view> lines_with_ends(std::string_view text);

// Lines [old_begin, old_end) became [new_begin, new_end); what lies between two changes is equal.
struct LineChange {
  std::size_t old_begin = 0;
  std::size_t old_end = 0;
  std::size_t new_begin = 0;
  std::size_t new_end = 0;

  friend bool operator==(const LineChange&, const LineChange&) = default;
};

// In order, none empty, the fewest lines possible; one change from the first to the last difference
// when the texts differ in more than some thousand lines.
std::vector<LineChange> line_changes(const std::vector<std::string_view>& before,
                                     const std::vector<std::string_view>& after);

// Three lines around each change; empty when equal.
core::Patch patch_between(std::string_view before, std::string_view after);

}  // namespace yume::tools
