// SPDX-License-Identifier: MIT
// Paths as this system's calls take them. Private to src/platform; not a seam.
#pragma once

#include <filesystem>
#include <string>

#include "platform/handle_win32.h"
#include "util/result.h"

namespace yume::platform {

// Absolute, in the form that the system takes as it is: of any length, and without reading dots,
// spaces or device names into it. "." and ".." are resolved as text.
std::wstring system_path(const std::filesystem::path& path);

// The reverse, of what the system answers: without the prefix.
std::filesystem::path path_of_system(std::wstring_view text);

// Refuses what names something other than the file that it seems to name, before the system is
// asked. `verb`: "read", "write". The error names the path.
Result<void> check_path(std::string_view verb, const std::filesystem::path& path);

// "cannot read C:\x".
std::string cannot(std::string_view verb, const std::filesystem::path& path);

// Where the system says that an open file is. Empty when it does not.
std::filesystem::path name_of_open(const Handle& file);

// As the file system compares names.
bool same_name(std::wstring_view left, std::wstring_view right);

}  // namespace yume::platform
