// SPDX-License-Identifier: MIT
// The change between two texts as hunks of lines, in the shape of Claude's `structuredPatch`.
#pragma once

#include <string_view>

#include "util/json_io.h"

namespace yume::tools {

// A JSON array with one hunk from the first to the last changed line and three lines around it;
// `[]` when equal.
RawJson structured_patch(std::string_view before, std::string_view after);

}  // namespace yume::tools
