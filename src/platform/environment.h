// SPDX-License-Identifier: MIT
// A snapshot of the variables and identity this process was started with. Read once at start and
// passed on as a value: nothing else calls getenv.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume::platform {

struct Environment {
  std::map<std::string, std::string, std::less<>> variables;
  std::filesystem::path home;        // empty when unknown
  std::filesystem::path cwd;         // empty when it has been deleted
  std::filesystem::path executable;  // this program, absolute
  std::string os_name;               // "Linux 6.1.0 (x86_64)"

  // nullopt when unset; an empty value counts as unset, as every Google and Claude tool treats it.
  std::optional<std::string> get(std::string_view name) const;
};

Environment read_environment();

// Overwrites the values in this process's own block, which other processes of the user can read
// (/proc/PID/environ, ps e). What was read before keeps them. Call before the first thread.
void empty_variables(const std::vector<std::string>& names);

}  // namespace yume::platform
