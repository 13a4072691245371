// SPDX-License-Identifier: MIT
// Which session file `sessions convert` and `sessions import` mean, and whose it is: a file that is
// named, a session of a project by its id, or the project's newest.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "platform/environment.h"
#include "platform/file_system.h"
#include "transcript/convert/session_record.h"
#include "transcript/gemini_cli/project_sessions.h"
#include "transcript/gemini_cli/session_reader.h"
#include "transcript/session_store.h"
#include "util/result.h"

namespace yume::app {

struct SessionQuestion {
  std::string file;           // empty: look for it
  std::string id;             // empty: the newest
  std::filesystem::path cwd;  // as it was given, absolute
  std::filesystem::path real_cwd;
  std::optional<transcript::SessionSource> from;  // nullopt: find out
};

struct SessionDeps {
  platform::FileSystem& files;
  const platform::Environment& environment;
  const transcript::SessionStore& store;
};

struct ChosenSession {
  std::filesystem::path file;
  std::optional<transcript::SessionSource> from;
  std::string project;  // its folder; empty: unknown
};

transcript::GeminiProject gemini_project(const SessionQuestion& question);

// Error not_found, in words that hosts look for: "No Gemini session found for project: /p".
Result<ChosenSession> choose_session(const SessionQuestion& question, const SessionDeps& deps);

// Gives the target the session's records. Error protocol when the file is no session.
Result<transcript::ReadSession> read_chosen(const ChosenSession& chosen,
                                            const platform::FileSystem& files,
                                            transcript::RecordTarget& target);

}  // namespace yume::app
