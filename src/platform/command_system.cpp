// SPDX-License-Identifier: MIT
#include "platform/command_system.h"

#include <string_view>

namespace yume::platform {
namespace {

// Behind the command, on a line of its own: PowerShell itself would make 1 of every code.
constexpr std::string_view k_powershell_end =
    "\nif (-not $?) { if ($LASTEXITCODE) { exit $LASTEXITCODE }; exit 1 }";

// Windows PowerShell writes in the console's old code page otherwise.
constexpr std::string_view k_powershell_begin =
    "[Console]::OutputEncoding = New-Object Text.UTF8Encoding $false\n";

// cmd.exe reads one line only and would silently leave out the rest.
std::string as_one_line(std::string_view command) {
  std::string line;
  while (!command.empty()) {
    const std::size_t end = command.find_first_of("\r\n");
    const std::string_view part = command.substr(0, end);
    if (part.find_first_not_of(" \t") != std::string_view::npos) {
      if (!line.empty()) line += " & ";
      line += part;
    }
    command.remove_prefix(end == std::string_view::npos ? command.size() : end + 1);
  }
  return line;
}

}  // namespace

ShellCommand shell_command(const CommandShell& shell, const std::string& command) {
  switch (shell.kind) {
    case ShellKind::git_bash:
      // Not as an argument: the MSYS runtime halves backslashes there and cuts it off after 8 KB.
      return {.argv = {shell.path, "--noprofile", "--norc", "-c",
                       "IFS= read -r -d '' yume_command; eval \"$yume_command\""},
              .input = command};
    case ShellKind::powershell:
      return {.argv = {shell.path, "-NoProfile", "-NonInteractive", "-Command",
                       std::string(k_powershell_begin) + command + std::string(k_powershell_end)}};
    case ShellKind::cmd:
      return {.argv = {shell.path, "/d", "/s", "/c", as_one_line(command)}};
    case ShellKind::bash:
      break;
  }
  // The lines at the end keep bash from turning itself into the last command instead of starting
  // it: the system denies setuid programs, such as sudo, what they need in the shell's own process
  // (platform/supervisor_posix.cpp).
  return {.argv = {shell.path, "--noprofile", "--norc", "-c", command + "\n\n"}};
}

}  // namespace yume::platform
