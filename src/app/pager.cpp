// SPDX-License-Identifier: MIT
#include "app/pager.h"

#include "app/terminal_look.h"
#include "platform/access.h"
#include "platform/command_system.h"
#include "platform/program_search.h"
#include "platform/terminal_program.h"
#include "tools/bash.h"
#include "util/path_text.h"

#include <sstream>
#include <string_view>
#include <utility>

namespace yume::app {
namespace {

namespace fs = std::filesystem;
using Words = std::vector<std::string>;

constexpr std::string_view k_needs_a_shell = "|&;<>()$`\\\"'*?[#~=%{}!\n";

Words words_of(const std::string& text) {
  std::istringstream stream(text);
  Words words;
  for (std::string word; stream >> word;) words.push_back(std::move(word));
  return words;
}

bool is_program(const fs::path& path, const platform::FileSystem& files) {
  const auto info = files.info(path);
  return info.ok() && info->kind == platform::FileKind::regular &&
         platform::is_executable_file(path);
}

// `name`: a path that the person wrote out, or a name to look for.
std::optional<std::string> find_program(const std::string& name,
                                        const platform::Environment& environment,
                                        const platform::FileSystem& files) {
  const fs::path path = path_from_utf8(name);
  if (path.is_absolute()) {
    return is_program(path, files) ? std::optional(name) : std::nullopt;
  }
  if (path.has_parent_path()) return std::nullopt;
  const auto here = files.real_path(environment.cwd);
  const std::vector<fs::path> workspace = here.ok() ? std::vector{*here} : std::vector<fs::path>();
  for (const fs::path& program :
       platform::programs_named(name, platform::path_directories(environment), workspace, files)) {
    if (is_program(program, files)) return to_utf8(program);
  }
  return std::nullopt;
}

// Colours are passed on, one screen needs no key, and what was read stays on the terminal: what
// `less` is asked for when the person has not said how they like it.
Words environment_of(const platform::Environment& environment) {
  platform::Variables variables = environment.variables;
  variables.try_emplace("LESS", "FRX");
  variables.try_emplace("LESSCHARSET", "utf-8");  // whatever the locale is called
  variables.try_emplace("LV", "-c");
  return tools::child_environment(variables, platform::command_system(environment));
}

}  // namespace

std::optional<Words> choose_pager(const platform::Environment& environment,
                                  const platform::FileSystem& files) {
  const std::string named = environment.get("PAGER").value_or("");
  if (named.find_first_of(k_needs_a_shell) == std::string::npos) {
    Words words = words_of(named);
    if (!words.empty()) {
      if (auto program = find_program(words.front(), environment, files)) {
        words.front() = *std::move(program);
        return words;
      }
    }
  }
  auto less = find_program("less", environment, files);
  if (!less) return std::nullopt;
  return Words{*std::move(less), "-FRX"};
}

void show_paged(const std::string& text, const platform::Environment& environment,
                const platform::FileSystem& files, protocol::Output& out) {
  // A pager moves the cursor, whatever it is told about colours.
  const bool codes = terminal_look(environment).colours;
  auto argv = codes ? choose_pager(environment, files) : std::nullopt;
  if (argv) {
    const auto ended = platform::run_on_terminal({.argv = *std::move(argv),
                                                  .cwd = environment.cwd,
                                                  .environment = environment_of(environment),
                                                  .input = text});
    if (ended.ok()) return;
  }
  out.bytes(text);
}

}  // namespace yume::app
