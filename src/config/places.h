// SPDX-License-Identifier: MIT
// Where this program keeps its files and looks for them. Empty paths: neither a variable nor a home
// directory says it.
#pragma once

#include <filesystem>
#include <vector>

#include "platform/environment.h"

namespace yume::config {

// $YUME_CONFIG_DIR or ~/.yume
std::filesystem::path yume_folder(const platform::Environment& environment);

// $CLAUDE_CONFIG_DIR or ~/.claude
std::filesystem::path claude_folder(const platform::Environment& environment);

std::filesystem::path settings_file(const platform::Environment& environment);

// $CLAUDE_CONFIG_DIR or ~/.claude
std::filesystem::path claude_folder(const platform::Environment& environment);

// What the server said about models' limits.
std::filesystem::path model_cache(const platform::Environment& environment);

// For what is too long to show and belongs to no session that is kept.
std::filesystem::path overflow_folder(const platform::Environment& environment);

// Whose place the program takes, and so whose sessions come first.
enum class HostKind { claude, yume };

// Where sessions are looked for; the first is where new ones go: Claude's folder when the program
// stands in for `claude`, Yume's with --provider.
std::vector<std::filesystem::path> session_roots(const platform::Environment& environment,
                                                 HostKind host);

}  // namespace yume::config
