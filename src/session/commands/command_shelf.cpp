// SPDX-License-Identifier: MIT
#include "session/commands/command_shelf.h"

#include "session/commands/slash_commands.h"
#include "util/overloaded.h"
#include "util/path_text.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace yume::session {
namespace {

using Source = core::SlashCommandInfo::Source;

bool is_builtin(std::string_view name) {
  const auto& ours = builtin_commands();
  return std::any_of(ours.begin(), ours.end(),
                     [name](const auto& one) { return one.name == name; });
}

}  // namespace

CommandShelf::CommandShelf(const config::CommandSpec& spec, std::filesystem::path cwd,
                           const platform::FileSystem& files)
    : enabled_(spec.enabled), cwd_(std::move(cwd)), files_(files) {
  if (!enabled_) return;
  own_ = config::find_commands(spec.user_folder, Source::user, files);
  std::erase_if(own_, [](const config::FoundCommand& one) { return is_builtin(one.name); });
  for (const config::FoundCommand& command : spec.project) {
    if (is_builtin(command.name) || find(command.name) != nullptr) continue;
    if (spec.project_trusted) {
      own_.push_back(command);
    } else {
      untrusted_.push_back(command.name);
    }
  }
}

std::vector<std::string> CommandShelf::names() const {
  std::vector<std::string> names;
  if (!enabled_) return names;
  for (const auto& ours : builtin_commands()) names.push_back(ours.name);
  for (const auto& command : own_) names.push_back(command.name);
  return names;
}

std::vector<std::string> CommandShelf::skill_names() const {
  std::vector<std::string> names;
  for (const auto& command : own_) {
    if (command.is_skill) names.push_back(command.name);
  }
  return names;
}

std::vector<core::SlashCommandInfo> CommandShelf::all() const {
  std::vector<core::SlashCommandInfo> all;
  if (!enabled_) return all;
  all = builtin_commands();
  for (const auto& command : own_) {
    const auto file = read(command);
    if (!file || !file->for_user) continue;
    all.push_back({.name = command.name,
                   .description = file->description,
                   .argument_hint = file->argument_hint,
                   .source = command.source,
                   .is_skill = command.is_skill});
  }
  return all;
}

const config::FoundCommand* CommandShelf::find(std::string_view name) const {
  const auto found = std::find_if(own_.begin(), own_.end(),
                                  [name](const auto& command) { return command.name == name; });
  return found == own_.end() ? nullptr : &*found;
}

bool CommandShelf::is_untrusted(std::string_view name) const {
  return std::find(untrusted_.begin(), untrusted_.end(), name) != untrusted_.end();
}

std::optional<config::CommandFile> CommandShelf::read(const config::FoundCommand& command) const {
  return config::read_command(command, cwd_, files_);
}

std::vector<tools::SkillLine> CommandShelf::skills() const {
  std::vector<tools::SkillLine> lines;
  for (const auto& command : own_) {
    if (!command.is_skill) continue;
    const auto file = read(command);
    if (file && file->for_model) lines.push_back({command.name, file->description});
  }
  return lines;
}

std::optional<tools::SkillText> CommandShelf::open(std::string_view name,
                                                   std::string_view arguments) const {
  const config::FoundCommand* skill = find(name);
  if (skill == nullptr || !skill->is_skill) return std::nullopt;
  const auto file = read(*skill);
  if (!file || !file->for_model) return std::nullopt;
  tools::SkillText opened{.name = skill->name, .text = skill_preface(*skill)};
  for (const config::PromptPiece& piece : config::fill_command(file->body, arguments)) {
    // The model can run a command of the text by itself, and is asked about it like about any.
    std::visit(Overloaded{[&](const std::string& text) { opened.text += text; },
                          [&](const config::ShellPiece& shell) {
                            opened.text += "!`" + shell.command + "`";
                          }},
               piece);
  }
  return opened;
}

std::string skill_preface(const config::FoundCommand& skill) {
  return "Base directory for this skill: " + to_utf8(skill.file.parent_path()) + "\n\n";
}

}  // namespace yume::session
