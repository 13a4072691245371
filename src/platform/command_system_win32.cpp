// SPDX-License-Identifier: MIT
#include "platform/command_system.h"

#include <array>

#include "platform/handle_win32.h"
#include "platform/windows_shell.h"
#include "util/path_text.h"

namespace yume::platform {
namespace {

std::string windows_directory() {
  std::array<wchar_t, MAX_PATH> path;
  const UINT length = ::GetSystemWindowsDirectoryW(path.data(), static_cast<UINT>(path.size()));
  return length > 0 && length < path.size() ? from_wide({path.data(), length}) : R"(C:\Windows)";
}

std::string temporary_directory() {
  std::array<wchar_t, MAX_PATH + 1> path;
  const DWORD length = ::GetTempPathW(static_cast<DWORD>(path.size()), path.data());
  std::string text = length < path.size() ? from_wide({path.data(), length}) : std::string();
  if (text.ends_with('\\') && text.size() > 3) text.pop_back();  // but not that of C:\.
  return text;
}

bool is_file(const std::string& path) {
  const auto wide = to_wide(path);
  if (!wide) return false;
  const DWORD attributes = ::GetFileAttributesW(wide->c_str());
  return attributes != INVALID_FILE_ATTRIBUTES && (attributes & FILE_ATTRIBUTE_DIRECTORY) == 0;
}

}  // namespace

CommandSystem command_system(const Environment& environment) {
  return windows_command_system({.variables = environment.variables,
                                 .windows_directory = windows_directory(),
                                 .temporary_directory = temporary_directory(),
                                 .home = to_utf8(environment.home),
                                 .is_file = is_file});
}

}  // namespace yume::platform
