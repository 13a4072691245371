// SPDX-License-Identifier: MIT
// All commands and skills that a session knows: ours, the user's, and those of a trusted project,
// of which the first by that order counts where a name is there twice. Lists directories when it is
// made; reads a file only when somebody wants what it says. Thread-safe: it does not change.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "config/session_spec.h"
#include "core/slash_command.h"
#include "platform/file_system.h"
#include "tools/skill_book.h"

namespace yume::session {

class CommandShelf final : public tools::SkillBook {
 public:
  // `files` outlives it.
  CommandShelf(const config::CommandSpec& spec, std::filesystem::path cwd,
               const platform::FileSystem& files);

  [[nodiscard]] bool enabled() const { return enabled_; }
  // For the init line; every skill that can be typed is among both.
  [[nodiscard]] std::vector<std::string> names() const;
  [[nodiscard]] std::vector<std::string> skill_names() const;
  // With what the files say of themselves.
  [[nodiscard]] std::vector<core::SlashCommandInfo> all() const;

  // By the name that was typed; nullptr: none of somebody's own has it.
  [[nodiscard]] const config::FoundCommand* find(std::string_view name) const;
  // A project's command that is not used, because the folder is not trusted.
  [[nodiscard]] bool is_untrusted(std::string_view name) const;
  [[nodiscard]] std::optional<config::CommandFile> read(const config::FoundCommand& command) const;

  // The model's view: skills alone, without those that are only for the user.
  [[nodiscard]] std::vector<tools::SkillLine> skills() const override;
  [[nodiscard]] std::optional<tools::SkillText> open(std::string_view name,
                                                     std::string_view arguments) const override;

 private:
  bool enabled_;
  std::filesystem::path cwd_;
  const platform::FileSystem& files_;
  std::vector<config::FoundCommand> own_;  // the user's and the project's
  std::vector<std::string> untrusted_ = {};
};

// What a skill's text begins with: where the files lie that it speaks of.
std::string skill_preface(const config::FoundCommand& skill);

}  // namespace yume::session
