// SPDX-License-Identifier: MIT
#include "app/commands/command_doubt.h"

#include "app/argv.h"
#include "app/commands/command_table.h"
#include "util/nearest_word.h"

#include <algorithm>
#include <array>

namespace yume::app {
namespace {

using Words = std::vector<std::string>;

bool contains(const std::vector<std::string_view>& names, std::string_view word) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

bool leaves_no_doubt(const Arguments& arguments) {
  constexpr std::array k_flags = {"print",    "prompt", "provider", "output-format", "input-format",
                                  "continue", "resume", "help",     "version"};
  return std::any_of(k_flags.begin(), k_flags.end(),
                     [&arguments](const char* flag) { return arguments.has(flag); });
}

// One word, or one and what could be done with it: `session list`. More words are a sentence.
bool reads_as_command(const Words& words) {
  return words.size() == 1 || nearest_word(words[1], command_verbs()).has_value();
}

std::string joined(const Words& words, std::size_t from = 0) {
  std::string text;
  for (std::size_t i = from; i < words.size(); ++i) text += (i == from ? "" : " ") + words[i];
  return text;
}

std::string explanation(const Words& words, const std::optional<std::string>& nearest) {
  const std::string& first = words.front();
  if (contains(foreign_command_names(), first)) {
    return "`" + first + "` is a command of Claude Code that yume-cli does not have.";
  }
  std::string right = "yume-cli " + *nearest;
  if (words.size() > 1) right += " " + joined(words, 1);
  if (*nearest == first) return "A command comes before all flags: `" + right + "`.";
  return "There is no command `" + first + "`. Did you mean `" + right + "`?";
}

}  // namespace

std::optional<CommandDoubt> doubt_about(const std::vector<std::string>& tokens) {
  if (!tokens.empty() && contains(command_names(), tokens.front())) return std::nullopt;
  // Words behind `--` are words; those before it may be a command: `mcp add x -- npx y`.
  const auto arguments =
      parse_arguments({tokens.begin(), std::find(tokens.begin(), tokens.end(), "--")});
  if (!arguments.ok() || leaves_no_doubt(*arguments)) return std::nullopt;
  const Words& words = arguments->positionals();
  if (words.empty() || words.front().find(' ') != std::string::npos) return std::nullopt;
  if (words == Words{"help"}) return CommandDoubt{.asks_for_help = true, .question = {}};
  const auto nearest = nearest_word(words.front(), command_names());
  const bool foreign = contains(foreign_command_names(), words.front());
  if ((!nearest && !foreign) || !reads_as_command(words)) return std::nullopt;
  return CommandDoubt{.question = explanation(words, nearest) + "\nSend \"" + joined(words) +
                                  "\" to the model as a prompt?"};
}

}  // namespace yume::app
