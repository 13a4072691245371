// SPDX-License-Identifier: MIT
// The system prompt: who the model is, where it works, what it may do, and what the project's own
// instruction files say. Stays the same within a session, so that the server can cache it.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "core/permission.h"
#include "platform/clock.h"
#include "platform/file_system.h"

namespace yume::agent {

struct PromptSettings {
  std::optional<std::string> replacement;  // set (even to nothing): used instead of our own
  std::string appended;                    // the host's addition
  std::filesystem::path cwd;
  std::filesystem::path home;
  std::string os_name;
  core::PermissionMode mode = core::PermissionMode::default_mode;
};

std::string make_system_prompt(const PromptSettings& settings, const platform::FileSystem& files,
                               platform::WallTime now);

struct InstructionFile {
  std::filesystem::path path;
  std::string text;  // cut to the limit, with a visible marker

  friend bool operator==(const InstructionFile&, const InstructionFile&) = default;
};

// CLAUDE.md, .claude/CLAUDE.md, GEMINI.md and AGENTS.md of the home directory and of every
// directory from the root down to `cwd`, nearest last.
std::vector<InstructionFile> find_instructions(const std::filesystem::path& cwd,
                                               const std::filesystem::path& home,
                                               const platform::FileSystem& files);

}  // namespace yume::agent
