// SPDX-License-Identifier: MIT
// The difference between two texts, line by line, and as hunks in the shape of Claude's
// `structuredPatch`. Pure; the cost is bounded whatever the texts are.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "util/json_io.h"

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

// A JSON array of hunks with three lines around each change; `[]` when equal.
RawJson structured_patch(std::string_view before, std::string_view after);

}  // namespace yume::tools
