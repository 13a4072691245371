// SPDX-License-Identifier: MIT
#include "platform/command_system.h"

#include <algorithm>
#include <array>
#include <utility>

#include "util/ascii.h"
#include "util/utf8.h"

namespace yume::platform {
namespace {

// Not as an argument: the MSYS runtime halves backslashes there and cuts it off after 8 KB. What
// follows a NUL is left to the command.
constexpr std::string_view k_read_command = "IFS= read -r -d '' yume_command; ";
constexpr std::string_view k_run_command = "eval \"$yume_command\"";

// `pwd -W` is the MSYS runtime's own and writes the path as Windows has it.
constexpr std::string_view k_bash_report =
    "yume_report=$YUME_DIRECTORY_REPORT; unset YUME_DIRECTORY_REPORT; [ -z \"$yume_report\" ] || "
    "trap '{ builtin pwd -W || builtin pwd; } 2>/dev/null >\"$yume_report\" || :' EXIT; ";

// Windows PowerShell writes in the console's old code page otherwise.
constexpr std::string_view k_powershell_begin =
    "[Console]::OutputEncoding = New-Object Text.UTF8Encoding $false\n";

// Behind the command, on lines of their own: PowerShell itself would make 1 of every code.
constexpr std::string_view k_powershell_good = "\n$yume_good = $?";
constexpr std::string_view k_powershell_report =
    "\ntry { [IO.File]::WriteAllText($env:YUME_DIRECTORY_REPORT, "
    "(Get-Location -PSProvider FileSystem).ProviderPath) } catch { }";
constexpr std::string_view k_powershell_end =
    "\nif (-not $yume_good) { if ($LASTEXITCODE) { exit $LASTEXITCODE }; exit 1 }";

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

// The words of cmd.exe, in small letters.
std::vector<std::string> words_of_cmd(std::string_view line) {
  std::vector<std::string> words;
  while (!line.empty()) {
    const std::size_t end = line.find_first_of(" \t&|<>,;=@\"");
    if (end != 0) words.push_back(ascii_lower(line.substr(0, end)));
    line.remove_prefix(end == std::string_view::npos ? line.size() : end + 1);
  }
  return words;
}

// cd, cd.., cd\x, d:
bool moves_cmd(std::string_view word) {
  constexpr std::array<std::string_view, 4> k_moves = {"chdir", "cd", "pushd", "popd"};
  return (word.size() == 2 && word[1] == ':') ||
         std::any_of(k_moves.begin(), k_moves.end(), [word](std::string_view move) {
           return word.starts_with(move) &&
                  (word.size() == move.size() ||
                   std::string_view("./\\").find(word[move.size()]) != std::string_view::npos);
         });
}

// Whether what is put behind the line runs once after it, and the line does the same as without:
// not inside of a loop, a branch or a string; and values are looked up late, which changes what an
// exclamation mark means.
bool can_go_on(std::string_view line, const std::vector<std::string>& words) {
  return line.find_first_of("!^()") == std::string_view::npos &&
         std::count(line.begin(), line.end(), '"') % 2 == 0 &&
         std::none_of(words.begin(), words.end(), [](const std::string& word) {
           return word == "if" || word == "for" || word == "rem" || word.starts_with("::");
         });
}

// A second cmd writes the path, as only a new one can be told to write UTF-16; the code page of the
// first would lose letters.
ShellCommand cmd_command(const std::string& shell, const std::string& command,
                         DirectoryReport report) {
  std::string line = as_one_line(command);
  const std::vector<std::string> words = words_of_cmd(line);
  const bool reports = report == DirectoryReport::wanted &&
                       std::any_of(words.begin(), words.end(), moves_cmd) && can_go_on(line, words);
  if (!reports) return {.argv = {shell, "/d", "/s", "/c", std::move(line)}};
  line += " & set yume_code=!errorlevel!& >\"!YUME_DIRECTORY_REPORT!\" \"" + shell +
          "\" /u /d /c cd& exit !yume_code!";
  return {.argv = {shell, "/d", "/v:on", "/s", "/c", std::move(line)}};
}

std::vector<std::string> bash_from_stdin(const std::string& shell, std::string_view script) {
  return {shell, "--noprofile", "--norc", "-c", std::string(script)};
}

ShellCommand git_bash_command(const std::string& shell, const std::string& command,
                              DirectoryReport report) {
  std::string script(k_read_command);
  if (report == DirectoryReport::wanted) script += k_bash_report;
  return {.argv = bash_from_stdin(shell, script.append(k_run_command)), .input = command};
}

ShellCommand powershell_command(const std::string& shell, const std::string& command,
                                DirectoryReport report) {
  std::string script(k_powershell_begin);
  script.append(command).append(k_powershell_good);
  if (report == DirectoryReport::wanted) script += k_powershell_report;
  return {.argv = {shell, "-NoProfile", "-NonInteractive", "-Command",
                   script.append(k_powershell_end)}};
}

}  // namespace

ShellCommand line_command(const CommandShell& line_shell, const std::string& line,
                          std::string_view input) {
  ShellCommand told{.argv = {line_shell.path, "-c", line}};
  if (line_shell.kind == ShellKind::git_bash) {
    told = git_bash_command(line_shell.path, line + '\0', DirectoryReport::none);
  } else if (line_shell.kind != ShellKind::bash) {
    told = shell_command(line_shell, line);
  }
  told.input += input;
  return told;
}

ShellCommand shell_command(const CommandShell& shell, const std::string& command,
                           DirectoryReport report) {
  switch (shell.kind) {
    case ShellKind::git_bash:
      return git_bash_command(shell.path, command, report);
    case ShellKind::powershell:
      return powershell_command(shell.path, command, report);
    case ShellKind::cmd:
      return cmd_command(shell.path, command, report);
    case ShellKind::bash:
      break;
  }
  // The lines at the end keep bash from turning itself into the last command instead of starting
  // it: the system denies setuid programs, such as sudo, what they need in the shell's own process
  // (platform/supervisor_posix.cpp).
  return {.argv = {shell.path, "--noprofile", "--norc", "-c", command + "\n\n"}};
}

std::string read_directory_report(std::string_view bytes) {
  std::string path(bytes);
  if (bytes.size() >= 2 && bytes[1] == '\0') {
    std::u16string units;
    for (std::size_t at = 0; at + 1 < bytes.size(); at += 2) {
      units += static_cast<char16_t>(static_cast<unsigned char>(bytes[at]) |
                                     static_cast<unsigned char>(bytes[at + 1]) << 8U);
    }
    path = utf8_from_utf16(units);
  }
  while (path.ends_with('\n') || path.ends_with('\r')) path.pop_back();
  return path;
}

}  // namespace yume::platform
