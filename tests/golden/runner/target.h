// SPDX-License-Identifier: MIT
// The program that is run and the system that it is for: one of this machine, or one for Windows,
// which wine runs and which sees the machine's files under Z:.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "golden/runner/normalise.h"

namespace yume::golden {

enum class Platform { native, windows };

struct Target {
  std::filesystem::path binary;
  Platform platform = Platform::native;
  // For Windows: where start_with.exe and bash.exe lie (tests/windows).
  std::filesystem::path helpers = {};
  // Of this system, for another processor: the command that runs it. Empty: none is needed.
  std::vector<std::string> emulator = {};
};

// "linux", "windows": how case.json names it.
std::string name_of(Platform platform);

// How the program writes a path that it is given: "/tmp/x", "Z:/tmp/x".
std::string path_text(const std::filesystem::path& path, const Target& target);

// All forms in which the program may show a path, for `macro`.
std::vector<Literal> path_literals(const std::filesystem::path& path, const std::string& macro,
                                   const Target& target);

using Variables = std::map<std::string, std::string>;

struct Places {
  std::filesystem::path home;
  std::filesystem::path tmp;
};
// What every program of the system has in its environment.
Variables system_variables(const Places& places, const Target& target);

// What is started in the end, and with which environment of this machine.
struct Start {
  std::vector<std::string> argv;
  std::vector<std::string> environment;
};
Start start_of(const Target& target, const std::vector<std::string>& args,
               const Variables& variables);

}  // namespace yume::golden
