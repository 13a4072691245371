// SPDX-License-Identifier: MIT
// Where Gemini CLI keeps the sessions of a project, and which there are. Its versions have named a
// project's folder in three ways; all are looked at.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "platform/environment.h"
#include "platform/file_system.h"

namespace yume::transcript {

struct GeminiProject {
  std::vector<std::filesystem::path> names;  // of its folder: as it was given, and the real path
  std::function<std::string(std::string_view)> sha256_hex;
};

struct GeminiSessionFile {
  std::string id;
  std::filesystem::path file;
  std::string updated;  // ISO
  std::string summary;
  std::uint64_t bytes = 0;
  std::string parent = {};  // of a subagent: the session that it worked for
};

// $GEMINI_CLI_HOME/.gemini or ~/.gemini; empty when there is no home directory.
std::filesystem::path gemini_cli_folder(const platform::Environment& environment);

// Those of the project, the last one first; subagents only when they are asked for. `folder` is
// Gemini CLI's. A session that lies in several of its folders is listed once.
enum class Subagents { no, yes };
std::vector<GeminiSessionFile> gemini_sessions_of(const GeminiProject& project,
                                                  const std::filesystem::path& folder,
                                                  Subagents subagents,
                                                  const platform::FileSystem& files);

// The project that a session file belongs to, by what lies beside it; empty: nothing says it.
std::string project_beside(const std::filesystem::path& session_file,
                           const platform::FileSystem& files);

}  // namespace yume::transcript
