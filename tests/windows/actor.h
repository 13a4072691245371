// SPDX-License-Identifier: MIT
// Commands for the tests: actor.exe, which lies beside the program that asks.
#pragma once

#include <windows.h>

#include <filesystem>
#include <string>
#include <vector>

#include "platform/handle_win32.h"
#include "platform/process.h"

namespace yume::test {

inline std::filesystem::path own_folder() {
  std::wstring path(32'768, L'\0');
  path.resize(::GetModuleFileNameW(nullptr, path.data(), static_cast<DWORD>(path.size())));
  return std::filesystem::path(path).parent_path();
}

inline std::string utf8(const std::filesystem::path& path) {
  return platform::from_wide(path.wstring());
}

inline std::string actor_path() {
  return utf8(own_folder() / "actor.exe");
}

// What every program needs, and the search path for cmd.exe.
inline std::vector<std::string> small_environment() {
  return {R"(SystemRoot=C:\windows)", R"(PATH=C:\windows\system32)",
          R"(ComSpec=C:\windows\system32\cmd.exe)"};
}

inline platform::ProcessSpec actor(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), actor_path());
  return {.argv = std::move(arguments), .cwd = R"(C:\)", .environment = small_environment()};
}

// An empty folder, gone with everything in it at the end of the scope.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    // A process id may be given twice: one that was left behind is not ours.
    for (int number = 1; path_.empty(); ++number) {
      const auto wanted = own_folder() / ("folder-" + std::to_string(::GetCurrentProcessId()) +
                                          "-" + std::to_string(number));
      if (std::filesystem::create_directory(wanted)) path_ = wanted;
    }
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace yume::test
