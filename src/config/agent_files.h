// SPDX-License-Identifier: MIT
// Subagents that people have written down as Markdown files: `.claude/agents/*.md`, a header with
// name, description, tools and model, and below it the prompt.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/agent_definition.h"
#include "platform/file_system.h"
#include "util/result.h"

namespace yume::config {

// One file. The message says what is wrong: it lacks a name, or restricts the agent in a way that
// would not be kept. Pure.
Result<core::AgentDefinition> parse_agent_file(std::string_view text, core::AgentSource source);

struct AgentFiles {
  std::vector<core::AgentDefinition> agents = {};  // by file name
  std::vector<std::string> problems = {};          // for people: files that were left out, and why
};

// Those of a folder and its subfolders, a few hundred at most; `tree` (real): files must lie in it,
// empty: links of the user's own may lead anywhere. One listing when there is nothing.
AgentFiles read_agent_folder(const std::filesystem::path& folder, core::AgentSource source,
                             const std::filesystem::path& tree, const platform::FileSystem& files);

}  // namespace yume::config
