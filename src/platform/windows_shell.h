// SPDX-License-Identifier: MIT
// Which shell runs commands on Windows, and which variables its programs need. Pure: decided on
// what it is given, so that every system can test it.
#pragma once

#include <functional>
#include <string>

#include "platform/command_system.h"

namespace yume::platform {

struct WindowsFacts {
  const Variables& variables;     // names in any case
  std::string windows_directory;  // C:\Windows
  std::string temporary_directory;
  std::string home;
  std::function<bool(const std::string& path)> is_file;
};

// Git Bash (YUME_GIT_BASH_PATH or CLAUDE_CODE_GIT_BASH_PATH, which are taken at their word; beside
// the git of PATH; where its installer puts it), else pwsh, else Windows PowerShell, else cmd.
// Never WSL's bash: it is another system, with other paths.
CommandShell choose_windows_shell(const WindowsFacts& facts);

CommandSystem windows_command_system(const WindowsFacts& facts);

}  // namespace yume::platform
