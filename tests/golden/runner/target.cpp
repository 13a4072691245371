// SPDX-License-Identifier: MIT
#include "golden/runner/target.h"

#include <stdlib.h>

#include <algorithm>

#include "golden/runner/system_path.h"

namespace yume::golden {
namespace {

namespace fs = std::filesystem;

// Every character `what` as `with`.
std::string replaced(std::string text, char what, std::string_view with) {
  for (std::size_t at = text.find(what); at != std::string::npos;
       at = text.find(what, at + with.size())) {
    text.replace(at, 1, with);
  }
  return text;
}

std::string windows_path(const fs::path& path) {
  return replaced("Z:" + path.string(), '/', "\\");
}

std::vector<std::string> lines_of(const Variables& variables) {
  std::vector<std::string> lines;
  for (const auto& [name, value] : variables) lines.push_back(name + "=" + value);
  return lines;
}

// What wine itself needs to know; set by tests/windows/under_wine.
Variables variables_of_wine() {
  Variables kept;
  for (const char* name :
       {"HOME", "PATH", "WINEPREFIX", "WINEDEBUG", "WINEDLLOVERRIDES", "LC_ALL"}) {
    if (const char* value = ::getenv(name)) kept[name] = value;
  }
  return kept;
}

}  // namespace

std::string name_of(Platform platform) {
  return platform == Platform::windows ? "windows" : "linux";
}

std::string path_text(const fs::path& path, const Target& target) {
  return target.platform == Platform::windows ? "Z:" + path.string() : path.string();
}

std::vector<Literal> path_literals(const fs::path& path, const std::string& macro,
                                   const Target& target) {
  std::vector<Literal> literals{{path.string(), macro}};
  if (target.platform == Platform::native) return literals;
  literals.push_back({.text = "Z:" + path.string(), .macro = macro});
  // As it is, inside JSON, and inside JSON that is inside JSON.
  for (const char* separator : {"\\", "\\\\", "\\\\\\\\"}) {
    literals.push_back({.text = replaced(windows_path(path), '\\', separator),
                        .macro = macro,
                        .separator = separator});
  }
  return literals;
}

Variables system_variables(const Places& places, const Target& target) {
  if (target.platform == Platform::native) {
    return {{"HOME", places.home.string()},
            {"TMPDIR", places.tmp.string()},
            {"PATH", path_without_gcloud()},
            {"XDG_RUNTIME_DIR", places.tmp.string()}};
  }
  const std::string tmp = windows_path(places.tmp);
  const std::string home = windows_path(places.home);
  return {{"USERPROFILE", home},
          {"APPDATA", home + R"(\AppData\Roaming)"},
          {"LOCALAPPDATA", tmp},
          {"TEMP", tmp},
          {"TMP", tmp},
          {"PATH", R"(C:\windows\system32;C:\windows)"},
          {"YUME_BASH_FOLDER", tmp},
          {"YUME_GIT_BASH_PATH", windows_path(target.helpers / "bash.exe")}};
}

Start start_of(const Target& target, const std::vector<std::string>& args,
               const Variables& variables) {
  if (target.platform == Platform::native) {
    Start start{.argv = target.emulator, .environment = lines_of(variables)};
    start.argv.push_back(target.binary.string());
    start.argv.insert(start.argv.end(), args.begin(), args.end());
    return start;
  }
  Start start{.argv = {"/usr/bin/wine", (target.helpers / "start_with.exe").string()},
              .environment = lines_of(variables_of_wine())};
  for (const std::string& line : lines_of(variables)) start.argv.push_back(line);
  start.argv.insert(start.argv.end(), {"--", windows_path(target.binary)});
  start.argv.insert(start.argv.end(), args.begin(), args.end());
  return start;
}

}  // namespace yume::golden
