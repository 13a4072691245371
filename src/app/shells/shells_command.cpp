// SPDX-License-Identifier: MIT
#include "app/shells/shells_command.h"

#include "app/commands/command_table.h"
#include "app/shells/completion_scripts.h"
#include "app/shells/man_page.h"
#include "util/nearest_word.h"

#include <string_view>
#include <variant>

namespace yume::app {

ExitCode run_completions(const std::vector<std::string>& tokens, protocol::Output& out) {
  const CommandSpec& command = completions_command();
  const auto line = read_command_line(command, tokens, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  const std::vector<std::string>& words = std::get<Arguments>(line).positionals();
  constexpr std::string_view k_which = "name a shell: bash, zsh, fish or powershell";
  if (words.empty()) return refuse_usage(wrong_usage(command, std::string(k_which)));
  const auto script = completion_script(words.front());
  if (!script) {
    const auto meant = nearest_word(words.front(), {"bash", "zsh", "fish", "powershell"});
    return refuse_usage(wrong_usage(
        command, "there is nothing for '" + words.front() + "'; " + std::string(k_which),
        meant.value_or("")));
  }
  out.bytes(*script);
  return ExitCode::success;
}

ExitCode run_man(const std::vector<std::string>& tokens, protocol::Output& out) {
  const auto line = read_command_line(man_command(), tokens, out);
  if (const auto* code = std::get_if<ExitCode>(&line)) return *code;
  out.bytes(man_page());
  return ExitCode::success;
}

}  // namespace yume::app
