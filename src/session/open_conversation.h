// SPDX-License-Identifier: MIT
// Which conversation a choice means, and opening it on disk: a new one, one to go on with, a copy.
#pragma once

#include <filesystem>

#include "config/session_spec.h"
#include "platform/clock.h"
#include "platform/file_system.h"
#include "transcript/session_store.h"
#include "util/result.h"

namespace yume::session {

struct OpenDeps {
  platform::FileSystem& files;
  const platform::Clock& clock;
  std::filesystem::path cwd;         // where file names begin
  std::filesystem::path views = {};  // of Yume, beside which its names of sessions are; empty: none
  std::string made_by = {};          // who started us, as the index names it; empty: unknown
  std::string model = {};            // that the session will have
};

// The error's message is for the host, in the words it looks for.
Result<transcript::OpenedSession> open_conversation(const config::SessionChoice& choice,
                                                    const transcript::SessionStore& store,
                                                    const OpenDeps& deps);

}  // namespace yume::session
