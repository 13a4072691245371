// SPDX-License-Identifier: MIT
#include "platform/windows_shell.h"

#include <array>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "platform/windows_command_line.h"
#include "util/ascii.h"

namespace yume::platform {
namespace {

// Empty counts as unset.
std::string variable(const WindowsFacts& facts, std::string_view name) {
  const std::string wanted = ascii_upper(name);
  for (const auto& [given, value] : facts.variables) {
    if (ascii_upper(given) == wanted) return value;
  }
  return {};
}

std::string joined(std::string folder, std::string_view name) {
  if (!folder.ends_with('\\') && !folder.ends_with('/')) folder += '\\';
  return folder.append(name);
}

std::string parent(std::string_view path) {
  const std::size_t slash = path.find_last_of("\\/");
  return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash));
}

// A current directory, or one relative to it, must not decide what runs.
std::vector<std::string> search_path(const WindowsFacts& facts) {
  std::vector<std::string> folders;
  std::string all = variable(facts, "PATH") + ";";
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = all.find(';', begin);
    std::string folder = all.substr(begin, end - begin);
    std::erase(folder, '"');
    if (is_absolute_windows_path(folder)) folders.push_back(std::move(folder));
    begin = end + 1;
  }
  return folders;
}

std::optional<std::string> first_file(const std::vector<std::string>& folders,
                                      std::string_view name, const WindowsFacts& facts) {
  for (const std::string& folder : folders) {
    std::string path = joined(folder, name);
    if (facts.is_file(path)) return path;
  }
  return std::nullopt;
}

// System32\bash.exe, and the alias that the Store leaves in WindowsApps.
bool is_wsl(std::string_view path) {
  const std::string folder = ascii_upper(windows_file_name(parent(path)));
  return folder == "SYSTEM32" || folder == "SYSNATIVE" || folder == "WINDOWSAPPS";
}

std::optional<std::string> named_git_bash(const WindowsFacts& facts) {
  for (const char* name : {"YUME_GIT_BASH_PATH", "CLAUDE_CODE_GIT_BASH_PATH"}) {
    std::string path = variable(facts, name);
    std::erase(path, '"');
    if (!path.empty() && !is_wsl(path)) return path;
  }
  return std::nullopt;
}

// bin\bash.exe comes first: it sets up the path for the tools that Git brings along.
std::optional<std::string> bash_of(const std::string& git_folder, const WindowsFacts& facts) {
  if (git_folder.empty()) return std::nullopt;
  return first_file({joined(git_folder, "bin"), joined(git_folder, R"(usr\bin)")}, "bash.exe",
                    facts);
}

// ...\Git\cmd\git.exe, ...\Git\bin\git.exe and ...\Git\mingw64\bin\git.exe.
std::optional<std::string> git_bash_of_path(const WindowsFacts& facts) {
  for (const std::string& folder : search_path(facts)) {
    const std::string git = joined(folder, "git.exe");
    if (!facts.is_file(git)) continue;
    const std::string around = parent(parent(git));
    for (const std::string& root : {around, parent(around)}) {
      if (auto bash = bash_of(root, facts); bash && !is_wsl(*bash)) return bash;
    }
  }
  return std::nullopt;
}

std::optional<std::string> installed_git_bash(const WindowsFacts& facts) {
  constexpr std::array<std::pair<const char*, const char*>, 4> k_places{{
      {"ProgramW6432", "Git"},
      {"ProgramFiles", "Git"},
      {"ProgramFiles(x86)", "Git"},
      {"LOCALAPPDATA", R"(Programs\Git)"},
  }};
  for (const auto& [name, folder] : k_places) {
    const std::string base = variable(facts, name);
    if (base.empty()) continue;
    if (auto bash = bash_of(joined(base, folder), facts)) return bash;
  }
  return std::nullopt;
}

std::optional<std::string> find_git_bash(const WindowsFacts& facts) {
  if (auto path = named_git_bash(facts)) return path;
  if (auto path = git_bash_of_path(facts)) return path;
  return installed_git_bash(facts);
}

std::optional<std::string> find_powershell(const WindowsFacts& facts) {
  std::vector<std::string> folders = search_path(facts);
  const std::string programs = variable(facts, "ProgramFiles");
  if (!programs.empty()) folders.push_back(joined(programs, R"(PowerShell\7)"));
  if (auto path = first_file(folders, "pwsh.exe", facts)) return path;
  const std::string built_in =
      joined(facts.windows_directory, R"(System32\WindowsPowerShell\v1.0\powershell.exe)");
  if (facts.is_file(built_in)) return built_in;
  return first_file(folders, "powershell.exe", facts);
}

std::string cmd_path(const WindowsFacts& facts) {
  std::string path = variable(facts, "ComSpec");
  const bool is_cmd = ascii_upper(windows_file_name(path)) == "CMD.EXE";
  return is_cmd ? path : joined(facts.windows_directory, R"(System32\cmd.exe)");
}

}  // namespace

CommandShell choose_windows_shell(const WindowsFacts& facts) {
  if (auto path = find_git_bash(facts)) return {ShellKind::git_bash, *std::move(path)};
  if (auto path = find_powershell(facts)) return {ShellKind::powershell, *std::move(path)};
  return {ShellKind::cmd, cmd_path(facts)};
}

CommandSystem windows_command_system(const WindowsFacts& facts) {
  const std::string& windows = facts.windows_directory;
  const std::string system = joined(windows, "System32");
  // Hosts that start us with a few variables of their own forget these, and without them not even
  // sockets work.
  Variables defaults{
      {"SystemRoot", windows},
      {"windir", windows},
      {"SystemDrive", windows.substr(0, 2)},
      {"ComSpec", joined(system, "cmd.exe")},
      {"PATH", system + ";" + windows + ";" + joined(system, R"(WindowsPowerShell\v1.0)")},
      {"PATHEXT", ".COM;.EXE;.BAT;.CMD"},
  };
  if (!facts.temporary_directory.empty()) {
    defaults["TEMP"] = facts.temporary_directory;
    defaults["TMP"] = facts.temporary_directory;
  }
  if (!facts.home.empty()) defaults["USERPROFILE"] = facts.home;
  const CommandShell shell = choose_windows_shell(facts);
  return {.shell = shell,
          .line_shell = shell.kind == ShellKind::git_bash
                            ? shell
                            : CommandShell{.kind = ShellKind::cmd, .path = cmd_path(facts)},
          .variables_ignore_case = true,
          .default_variables = std::move(defaults)};
}

}  // namespace yume::platform
