// SPDX-License-Identifier: MIT
// Paths as text and back. Everywhere in the program text is UTF-8; what a path is made of differs:
// bytes on POSIX, which pass unchanged, UTF-16 on Windows. The standard library's own conversions
// would use the code page of the user there, so nothing else turns one into the other
// (tests/lint/path_text.py).
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace yume {

// As the system writes it: with backslashes on Windows. Half a surrogate pair becomes U+FFFD.
std::string to_utf8(const std::filesystem::path& path);
// With slashes on every system: for patterns and for comparing.
std::string to_generic_utf8(const std::filesystem::path& path);

// On Windows what is not UTF-8 becomes U+FFFD.
std::filesystem::path path_from_utf8(std::string_view text);

}  // namespace yume
