// SPDX-License-Identifier: MIT
#include "app/shells/program_grammar.h"

#include "app/agents/agent_table.h"
#include "app/commands/command_table.h"
#include "app/sessions/sessions_arguments.h"

#include <algorithm>

namespace yume::app {
namespace {

constexpr FlagSpec k_help = {"help", 'h', ValueKind::none, "", "", "Show this help"};

ProgramCommand turn() {
  ProgramCommand out;
  for (const FlagSpec& flag : known_flags()) {
    if (!flag.group.empty()) out.flags.push_back(flag);
  }
  return out;
}

void add(const CommandSpec& command, std::vector<ProgramCommand>& out) {
  ProgramCommand one{.name = command.name,
                     .summary = command.summary,
                     .operand = command.operand,
                     .flags = command.flags};
  one.flags.push_back(k_help);
  out.push_back(std::move(one));
}

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    words.push_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return words;
}

}  // namespace

std::string_view ProgramCommand::first_word() const {
  return name.substr(0, name.find(' '));
}

std::string_view ProgramCommand::second_word() const {
  const std::size_t blank = name.find(' ');
  return blank == std::string_view::npos ? std::string_view() : name.substr(blank + 1);
}

const std::vector<ProgramCommand>& program_grammar() {
  static const std::vector<ProgramCommand> grammar = [] {
    std::vector<ProgramCommand> out = {turn()};
    for (const CommandGroup* group :
         {&sessions_commands(), &auth_commands(), &permissions_commands(), &setup_commands()}) {
      for (const CommandSpec& command : group->commands) add(command, out);
    }
    for (const CommandSpec* command :
         {&models_command(), &demo_command(), &doctor_command(), &trust_command(),
          &detect_command(), &capabilities_command(), &translate_command(), &completions_command(),
          &man_command()}) {
      add(*command, out);
    }
    return out;
  }();
  return grammar;
}

std::vector<std::string_view> first_words() {
  std::vector<std::string_view> words;
  for (const ProgramCommand& command : program_grammar()) {
    if (command.name.empty()) continue;
    if (words.empty() || words.back() != command.first_word()) {
      words.push_back(command.first_word());
    }
  }
  return words;
}

std::vector<std::string_view> second_words(std::string_view first) {
  std::vector<std::string_view> words;
  for (const ProgramCommand& command : program_grammar()) {
    if (command.first_word() == first && !command.second_word().empty()) {
      words.push_back(command.second_word());
    }
  }
  return words;
}

std::vector<std::string_view> choices_of(const FlagSpec& flag) {
  return words_of(flag.choices);
}

bool is_session(const FlagSpec& flag) {
  return flag.name == "resume";
}

bool takes_session(const ProgramCommand& command) {
  return command.first_word() == "sessions" && command.operand.starts_with("<id>");
}

std::vector<std::string_view> choices_of_operand(const ProgramCommand& command) {
  if (command.name == completions_command().name) return words_of("bash zsh fish powershell");
  if (command.operand != "[agent]") return {};
  std::vector<std::string_view> names;
  for (const Agent& agent : known_agents()) names.push_back(agent.name);
  return names;
}

}  // namespace yume::app
