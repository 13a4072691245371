// SPDX-License-Identifier: MIT
// The one thing that Gemini CLI's own settings say about a run of ours: how many turns it may take.
#pragma once

#include <filesystem>
#include <optional>

#include "platform/environment.h"
#include "platform/file_system.h"
#include "util/result.h"

namespace yume::app {

// `model.maxSessionTurns` of the user's and of the working directory's settings.json, whichever is
// lower. A file that cannot be read is an error: it may hold a limit.
Result<std::optional<int>> max_session_turns(const std::filesystem::path& cwd,
                                             const platform::FileSystem& files,
                                             const platform::Environment& environment);

}  // namespace yume::app
