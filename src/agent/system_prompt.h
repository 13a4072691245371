// SPDX-License-Identifier: MIT
// The system prompt: who the model is, where it works, what it may do, and what instruction files
// say, each under the name of who wrote it. Stays the same within a session, so that the server can
// cache it. No I/O.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "agent/git_snapshot.h"
#include "agent/instruction_files.h"
#include "core/mcp.h"
#include "core/permission.h"
#include "platform/clock.h"

namespace yume::agent {

struct PromptSettings {
  std::optional<std::string> replacement;  // set (even to nothing): used instead of our own
  std::optional<std::string> agent = std::nullopt;  // used instead of our own words only
  std::string appended;                             // the host's addition
  std::filesystem::path cwd;
  std::string os_name;
  core::PermissionMode mode = core::PermissionMode::default_mode;
  std::vector<InstructionFile> instructions = {};  // the user's own first
  std::optional<GitSnapshot> git = std::nullopt;   // of the repository, if there is one
};

std::string make_system_prompt(const PromptSettings& settings, platform::WallTime now);

// What MCP servers say about their tools, framed as their words and cut; to be put behind the
// prompt. Empty when they say nothing.
std::string server_instructions_text(const std::vector<core::McpInstructions>& servers);

}  // namespace yume::agent
