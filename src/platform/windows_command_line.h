// SPDX-License-Identifier: MIT
// Arguments as the one string that Windows gives a program, which takes it apart itself. Pure, so
// that every system can test it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace yume::platform {

// For programs that follow the C runtime and CommandLineToArgvW, as nearly all do; and for cmd.exe,
// which does not: what follows /c goes to it verbatim, between one pair of quotes (give it /s too).
std::string windows_command_line(const std::vector<std::string>& argv);

// C:\x, C:/x, \\server\x: not relative to a current directory or drive.
bool is_absolute_windows_path(std::string_view path);

// With backslashes; a long one also with the prefix that lets it be longer than 260 characters,
// for the calls that accept that.
std::string extended_windows_path(std::string path);

// The system hands these to cmd.exe, which reads arguments by rules of its own: nothing can be
// quoted safely for them.
bool is_batch_file(std::string_view path);

// "bash.exe" of C:\Git\bin\bash.exe.
std::string_view windows_file_name(std::string_view path);

}  // namespace yume::platform
