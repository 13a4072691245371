// SPDX-License-Identifier: MIT
#include "platform/environment.h"

#include <pwd.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <system_error>

#if defined(__APPLE__)
#include <mach-o/dyld.h>
#endif

extern "C" char** environ;

namespace yume::platform {

namespace {

std::map<std::string, std::string, std::less<>> read_variables() {
  std::map<std::string, std::string, std::less<>> variables;
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    // The first of two equal names wins, as with getenv.
    variables.emplace(text.substr(0, equals), text.substr(equals + 1));
  }
  return variables;
}

std::filesystem::path home_from_user_database() {
  std::vector<char> buffer(16 * 1024);
  passwd entry{};
  passwd* found = nullptr;
  if (::getpwuid_r(::getuid(), &entry, buffer.data(), buffer.size(), &found) != 0) return {};
  return found != nullptr && found->pw_dir != nullptr ? found->pw_dir : "";
}

std::filesystem::path executable_path() {
#if defined(__APPLE__)
  std::string buffer(4096, '\0');
  auto size = static_cast<std::uint32_t>(buffer.size());
  if (_NSGetExecutablePath(buffer.data(), &size) != 0) return {};
  std::error_code failed;
  return std::filesystem::canonical(buffer.c_str(), failed);
#else
  std::error_code failed;
  return std::filesystem::read_symlink("/proc/self/exe", failed);
#endif
}

std::string describe_system() {
  utsname name{};
  if (::uname(&name) != 0) return "unknown";
  return std::string(name.sysname) + " " + name.release + " (" + name.machine + ")";
}

}  // namespace

std::optional<std::string> Environment::get(std::string_view name) const {
  const auto found = variables.find(name);
  if (found == variables.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

Environment read_environment() {
  Environment environment;
  environment.variables = read_variables();
  const auto home = environment.get("HOME");
  environment.home = home ? std::filesystem::path(*home) : home_from_user_database();
  std::error_code failed;
  environment.cwd = std::filesystem::current_path(failed);
  environment.executable = executable_path();
  environment.os_name = describe_system();
  return environment;
}

void empty_variables(const std::vector<std::string>& names) {
  for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
    const std::string_view text(*entry);
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos) continue;
    if (std::find(names.begin(), names.end(), text.substr(0, equals)) == names.end()) continue;
    // volatile: nothing of ours reads it again, other processes do.
    volatile char* value = *entry + equals + 1;
    for (std::size_t i = equals + 1; i < text.size(); ++i) *value++ = '\0';
  }
}

}  // namespace yume::platform
