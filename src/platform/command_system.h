// SPDX-License-Identifier: MIT
// How this system runs a command line: by which shell, and what every program expects to find in
// its environment.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "platform/environment.h"

namespace yume::platform {

enum class ShellKind {
  bash,
  git_bash,  // bash on Windows
  powershell,
  cmd,
};

struct CommandShell {
  ShellKind kind = ShellKind::bash;
  std::string path = "/bin/bash";

  friend bool operator==(const CommandShell&, const CommandShell&) = default;
};

using Variables = std::map<std::string, std::string, std::less<>>;

struct CommandSystem {
  CommandShell shell = {};
  // For the command lines of settings files, as hooks: sh, for which such lines are written; on
  // Windows Git Bash where it is there, else cmd.
  CommandShell line_shell = {.kind = ShellKind::bash, .path = "/bin/sh"};
  bool variables_ignore_case = false;
  // For those that are not set. Without SHELL bash looks into the user database for it, at a
  // twentieth of its start-up time.
  Variables default_variables = {{"SHELL", "/bin/bash"}};
};

CommandSystem command_system(const Environment& environment);

struct ShellCommand {
  std::vector<std::string> argv;
  std::string input = {};  // for stdin
};

// How a `line_shell` is told to run `line`, which finds `input` on its stdin.
ShellCommand line_command(const CommandShell& line_shell, const std::string& line,
                          std::string_view input);

// Where the shell writes the directory in which the command ended, on systems that do not know it
// themselves. The file that this variable names is there already.
inline constexpr std::string_view k_directory_report = "YUME_DIRECTORY_REPORT";

enum class DirectoryReport {
  none,
  wanted,  // where the system does not know it and the shell can tell
};

// How `shell` is told to run `command`, which finds its stdin empty. With a report an `exit` in
// PowerShell leaves the file empty, and so does what cmd could not be told without changing what
// the command does.
ShellCommand shell_command(const CommandShell& shell, const std::string& command,
                           DirectoryReport report = DirectoryReport::none);

// The path in such a report; empty: it has none. UTF-8 or, as cmd writes, UTF-16.
std::string read_directory_report(std::string_view bytes);

}  // namespace yume::platform
