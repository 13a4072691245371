// SPDX-License-Identifier: MIT
// Everything that a decision needs to know about a command, found out once: its parts, the files it
// names, and what could be proven about it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "permissions/file_names.h"
#include "permissions/mentioned_paths.h"
#include "permissions/read_only.h"
#include "permissions/shell_text.h"

namespace yume::permissions {

struct CommandFacts {
  std::string text = {};   // as it was asked for
  std::string plain = {};  // its words without quotes
  ShellText shell = {};
  std::vector<std::filesystem::path> mentioned = {};    // every name of every file it could mean
  std::vector<std::filesystem::path> directories = {};  // read with all that is in them
  bool lists_directories = false;                       // names all that is in some of them
  std::vector<std::filesystem::path> written = {};      // changed for certain: all their names
  std::vector<std::filesystem::path> read = {};         // by redirections: all their names
  std::optional<ProvenCommand> read_only = {};
  std::optional<ProvenFileChange> file_change = {};
  bool removes_vital = false;

  [[nodiscard]] bool is_opaque() const { return shell.opaque.has_value(); }
};

// Without `is_folder` every name may be that of a folder.
CommandFacts command_facts(std::string_view command, const ShellPlaces& places,
                           const FileNames& names, const FolderCheck& is_folder = {});

}  // namespace yume::permissions
