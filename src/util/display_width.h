// SPDX-License-Identifier: MIT
// How many columns of a terminal a text takes, and texts cut and broken to fit. Characters of East
// Asian scripts and pictures take two columns, combining marks none. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace yume {

std::size_t display_width(std::string_view text);

// The longest beginning that takes at most `columns`.
std::string_view prefix_of_width(std::string_view text, std::size_t columns);
// The longest end that takes at most `columns`.
std::string_view suffix_of_width(std::string_view text, std::size_t columns);

// `text`, with spaces to take at least `columns`.
std::string padded(std::string_view text, std::size_t columns);

// Lines of at most `columns`, broken at spaces; a word that is longer is broken anywhere. At least
// one line; runs of spaces become one.
std::vector<std::string> wrapped(std::string_view text, std::size_t columns);

}  // namespace yume
