// SPDX-License-Identifier: MIT
// How this system runs a command line: by which shell, and what every program expects to find in
// its environment.
#pragma once

#include <map>
#include <string>
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
  bool variables_ignore_case = false;
  // For those that are not set. Without SHELL bash looks into the user database for it, at a
  // twentieth of its start-up time.
  Variables default_variables = {{"SHELL", "/bin/bash"}};
};

CommandSystem command_system(const Environment& environment);

// The argv that runs a command line of a settings file, as a hook, with stdin left to it: by sh,
// for which such lines are written, or by cmd.
std::vector<std::string> plain_command(const std::string& command);

struct ShellCommand {
  std::vector<std::string> argv;
  std::string input = {};  // for stdin; the command itself finds it empty
};

// How `shell` is told to run `command`.
ShellCommand shell_command(const CommandShell& shell, const std::string& command);

}  // namespace yume::platform
