// SPDX-License-Identifier: MIT
// Commands that are proven to change nothing, so that they may run unasked. Prove or ask: the text
// must consist of plain words only, each program must be in a table with exactly these flags. What
// was proven is what runs: the words of the proof are started without a shell. Pure.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "permissions/plain_command.h"

namespace yume::permissions {

struct ProvenCommand {
  std::vector<PlainStep> steps = {};  // argv[0] is a bare name
  // Everything that may be opened, absolute and as given: all must be readable without a question.
  std::vector<std::filesystem::path> reads = {};
  bool uses_git = false;           // a repository's settings can name programs
  bool whole_directories = false;  // reads what lies in them
};

// `cwd` is where the shell stands. nullopt: it may be harmless, but that is not proven.
std::optional<ProvenCommand> prove_read_only(std::string_view command,
                                             const std::filesystem::path& cwd);

// The same for the words of one command: which files it opens.
std::optional<std::vector<std::filesystem::path>> files_read_by(
    const std::vector<std::string>& argv, const std::filesystem::path& cwd);

// One `mkdir`, `touch`, `mv`, `cp`, `rm` or `rmdir` with plain words: what acceptEdits lets run.
struct ProvenFileChange {
  std::vector<PlainStep> steps = {};               // one
  std::vector<std::filesystem::path> reads = {};   // absolute, as given
  std::vector<std::filesystem::path> writes = {};  // made, changed, moved or removed
};
std::optional<ProvenFileChange> prove_file_change(std::string_view command,
                                                  const std::filesystem::path& cwd);

}  // namespace yume::permissions
