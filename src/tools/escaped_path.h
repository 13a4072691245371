// SPDX-License-Identifier: MIT
// File names that cannot stand on a line of text as they are, in the form that git shows them: in
// double quotes, with \n, \", \\ and octal bytes. Tools show paths through escaped_path(); what a
// model gives back is understood by resolve_path().
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace yume::tools {

// The path itself unless it holds a control character or bytes that are not UTF-8, begins with a
// quote or a tilde, or has a space at an end. The result is one line of valid UTF-8.
std::string escaped_path(std::string_view path);

// The path that such a text stands for: `"a\nb"`, also as the names of a longer path,
// `src/"a\nb"`. Nothing when no name in it is quoted or a quoted one is malformed.
std::optional<std::string> unescaped_path(std::string_view text);

}  // namespace yume::tools
