// SPDX-License-Identifier: MIT
// Matching a text against a pattern in linear time for the usual cases and quadratic at worst; no
// recursion, no expansion, so no pattern can hang it.
#pragma once

#include <string_view>

namespace yume {

// Paths: `*` and `?` stay inside one component, `**` crosses them (and `**/` also matches nothing).
bool glob_match(std::string_view pattern, std::string_view path);

// Plain text: `*` matches anything.
bool wildcard_match(std::string_view pattern, std::string_view text);

}  // namespace yume
