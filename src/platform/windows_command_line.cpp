// SPDX-License-Identifier: MIT
#include "platform/windows_command_line.h"

#include <algorithm>

#include "util/ascii.h"

namespace yume::platform {
namespace {

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool is_separator(char c) {
  return c == '\\' || c == '/';
}

bool names_cmd(std::string_view program) {
  const std::string name = ascii_upper(windows_file_name(program));
  return name == "CMD.EXE" || name == "CMD";
}

// Backslashes mean themselves, except before a quote: there each needs another one.
void append_quoted(std::string& line, std::string_view argument) {
  if (!argument.empty() && argument.find_first_of(" \t\n\v\"") == std::string_view::npos) {
    line += argument;
    return;
  }
  line += '"';
  std::size_t backslashes = 0;
  for (const char c : argument) {
    if (c == '"') line.append(backslashes + 1, '\\');
    backslashes = c == '\\' ? backslashes + 1 : 0;
    line += c;
  }
  line.append(backslashes, '\\');
  line += '"';
}

}  // namespace

std::string windows_command_line(const std::vector<std::string>& argv) {
  std::string line;
  bool verbatim = false;
  for (std::size_t i = 0; i < argv.size(); ++i) {
    if (i > 0) line += ' ';
    if (i == 0) {
      // Up to the next quote, whatever is before it; a path cannot contain one.
      line += '"' + argv[i] + '"';
    } else if (verbatim) {
      line += '"' + argv[i] + '"';
    } else {
      append_quoted(line, argv[i]);
      verbatim = names_cmd(argv[0]) && ascii_upper(argv[i]) == "/C";
    }
  }
  return line;
}

bool is_absolute_windows_path(std::string_view path) {
  const bool has_drive =
      path.size() >= 3 && is_letter(path[0]) && path[1] == ':' && is_separator(path[2]);
  return has_drive || (path.size() >= 3 && is_separator(path[0]) && is_separator(path[1]));
}

std::string extended_windows_path(std::string path) {
  // A directory must leave room for a file's name of 12 characters.
  constexpr std::size_t k_longest_plain = 260 - 12 - 1;
  std::replace(path.begin(), path.end(), '/', '\\');
  if (path.size() <= k_longest_plain || path.starts_with(R"(\\?\)")) return path;
  if (path.starts_with(R"(\\)")) return R"(\\?\UNC)" + path.substr(1);
  return R"(\\?\)" + path;
}

bool is_batch_file(std::string_view path) {
  // The system ignores dots and spaces at the end of a name.
  const std::size_t last = path.find_last_not_of(". ");
  const std::string upper = ascii_upper(path.substr(0, last + 1));
  return upper.ends_with(".BAT") || upper.ends_with(".CMD");
}

std::string_view windows_file_name(std::string_view path) {
  const std::size_t slash = path.find_last_of("\\/");
  return slash == std::string_view::npos ? path : path.substr(slash + 1);
}

}  // namespace yume::platform
