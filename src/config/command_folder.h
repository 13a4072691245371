// SPDX-License-Identifier: MIT
// Which commands and skills lie in a `.claude` folder: `commands/**.md`, where subfolders are
// namespaces (`commands/git/fix.md` is /git:fix), and `skills/<name>/SKILL.md`. Lists names; the
// files are read when they are needed, past the guard of guarded_file.h.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/command_file.h"
#include "config/guarded_file.h"
#include "core/slash_command.h"
#include "platform/file_system.h"

namespace yume::config {

struct FoundCommand {
  std::string name;
  std::filesystem::path file;
  core::SlashCommandInfo::Source source = core::SlashCommandInfo::Source::user;
  bool is_skill = false;
  // Of a project: the rules that were there when its folder was found to be trusted. Others that
  // the file may have by the time it is used count for nothing.
  std::vector<std::string> granted = {};

  friend bool operator==(const FoundCommand&, const FoundCommand&) = default;
};

// By name; a skill before a command of the same name. `folder` is the `.claude` folder; no more
// than a few hundred are found.
std::vector<FoundCommand> find_commands(const std::filesystem::path& folder,
                                        core::SlashCommandInfo::Source source,
                                        const platform::FileSystem& files);

// Nothing when the file is gone or may not be read. `project` is the real working directory.
std::optional<CommandFile> read_command(const FoundCommand& command,
                                        const std::filesystem::path& project,
                                        const platform::FileSystem& files);

// Notes in each command what it grants; all of that as lines for the user to trust or not.
std::string note_grants(std::vector<FoundCommand>& commands, const std::filesystem::path& project,
                        const platform::FileSystem& files);

}  // namespace yume::config
