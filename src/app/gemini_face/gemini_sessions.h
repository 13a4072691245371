// SPDX-License-Identifier: MIT
// Sessions as Gemini CLI's command line names them: by id, by number in its list, or as the latest.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/exit_codes.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"
#include "transcript/session_store.h"
#include "util/result.h"

namespace yume::app {

// Those of the store's working directory, in the order of its list: oldest first.
std::vector<transcript::FoundSession> numbered_sessions(const transcript::SessionStore& store);

// The session that `latest`, a number or an id means. The message is for a person.
Result<transcript::FoundSession> session_meant(const std::string& given,
                                               const transcript::SessionStore& store);

// --list-sessions
ExitCode list_gemini_sessions(const std::filesystem::path& cwd,
                              const platform::Environment& environment, protocol::Output& out);
// --delete-session
ExitCode delete_gemini_session(const std::string& given, const std::filesystem::path& cwd,
                               const platform::Environment& environment, protocol::Output& out);

}  // namespace yume::app
