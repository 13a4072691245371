// SPDX-License-Identifier: MIT
#include "platform/environment.h"

#include <winternl.h>

#include <algorithm>
#include <array>
#include <system_error>

#include "platform/handle_win32.h"
#include "platform/system_path_win32.h"
#include "util/ascii.h"
#include "util/path_text.h"

namespace yume::platform {

namespace {

std::map<std::string, std::string, std::less<>> read_variables() {
  std::map<std::string, std::string, std::less<>> variables;
  wchar_t* const block = ::GetEnvironmentStringsW();
  if (block == nullptr) return variables;
  for (const wchar_t* entry = block; *entry != L'\0';) {
    const std::wstring_view text(entry);
    // "=C:=C:\folder": the current folder of a drive, which is nobody's variable.
    const std::size_t equals = text.find(L'=', 1);
    if (equals != std::wstring_view::npos && text.front() != L'=') {
      variables.emplace(from_wide(text.substr(0, equals)), from_wide(text.substr(equals + 1)));
    }
    entry += text.size() + 1;
  }
  ::FreeEnvironmentStringsW(block);
  return variables;
}

// The profile: what other programs of this system call the home. HOME is left to the shells that
// have paths of their own.
std::filesystem::path home_of(const Environment& environment) {
  if (const auto profile = environment.get("USERPROFILE")) return path_from_utf8(*profile);
  const auto drive = environment.get("HOMEDRIVE");
  const auto path = environment.get("HOMEPATH");
  return drive && path ? path_from_utf8(*drive + *path) : std::filesystem::path();
}

std::filesystem::path executable_path() {
  std::wstring path(MAX_PATH, L'\0');
  for (;;) {
    const DWORD length =
        ::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size()));
    if (length == 0) return {};
    if (length < path.size()) return path_of_system(std::wstring_view(path).substr(0, length));
    path.resize(path.size() * 2);
  }
}

// The documented call answers with the version that a program says it knows.
std::string describe_system() {
  using Ask = NTSTATUS(NTAPI*)(OSVERSIONINFOW*);
  const auto ask = reinterpret_cast<Ask>(
      reinterpret_cast<void*>(::GetProcAddress(::GetModuleHandleW(L"ntdll.dll"), "RtlGetVersion")));
  OSVERSIONINFOW version{};
  version.dwOSVersionInfoSize = sizeof version;
  if (ask == nullptr || ask(&version) != 0) return "Windows";
  SYSTEM_INFO machine{};
  ::GetNativeSystemInfo(&machine);
  const char* processor =
      machine.wProcessorArchitecture == PROCESSOR_ARCHITECTURE_ARM64 ? "arm64" : "x86_64";
  return "Windows " + std::to_string(version.dwMajorVersion) + "." +
         std::to_string(version.dwMinorVersion) + "." + std::to_string(version.dwBuildNumber) +
         " (" + processor + ")";
}

}  // namespace

// Names have no case here; an exact one is preferred.
std::optional<std::string> Environment::get(std::string_view name) const {
  auto found = variables.find(name);
  if (found == variables.end()) {
    const std::string upper = ascii_upper(name);
    found = std::find_if(variables.begin(), variables.end(),
                         [&upper](const auto& entry) { return ascii_upper(entry.first) == upper; });
  }
  if (found == variables.end() || found->second.empty()) return std::nullopt;
  return found->second;
}

Environment read_environment() {
  Environment environment;
  environment.variables = read_variables();
  environment.home = home_of(environment);
  std::error_code failed;
  environment.cwd = std::filesystem::current_path(failed);
  environment.executable = executable_path();
  environment.os_name = describe_system();
  return environment;
}

void empty_variables(const std::vector<std::string>& names) {
  for (const std::string& name : names) {
    const auto wide = to_wide(name);
    if (!wide) continue;
    const DWORD size = ::GetEnvironmentVariableW(wide->c_str(), nullptr, 0);
    if (size == 0) continue;
    // A value of the same length takes the old one's place; then it may go.
    ::SetEnvironmentVariableW(wide->c_str(), std::wstring(size - 1, L'0').c_str());
    ::SetEnvironmentVariableW(wide->c_str(), nullptr);
  }
}

}  // namespace yume::platform
