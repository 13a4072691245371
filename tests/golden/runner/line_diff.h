// SPDX-License-Identifier: MIT
// A small unified line diff for people: `-` is what was expected, `+` what came. Long common
// beginnings of a changed line are left out, so that the difference itself is on the screen.
#pragma once

#include <string>
#include <string_view>

namespace yume::golden {

// Empty when equal; else hunks with three lines of context.
std::string line_diff(std::string_view expected, std::string_view actual);

}  // namespace yume::golden
