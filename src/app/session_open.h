// SPDX-License-Identifier: MIT
// Which session a command line means, and opening it: a new one, one to go on with, a copy.
#pragma once

#include <filesystem>
#include <optional>
#include <vector>

#include "app/options.h"
#include "app/session_setup.h"
#include "platform/clock.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "session/session_store.h"
#include "session/yume_view.h"
#include "util/result.h"

namespace yume::app {

// Where sessions are looked for; the first is where new ones go. Claude's folder when the program
// stands in for `claude`, Yume's with --provider. Empty when there is no home directory.
std::vector<std::filesystem::path> session_roots(const platform::Environment& environment,
                                                 bool has_provider);

// Where Yume's own files about sessions lie; empty when there is no home directory.
std::filesystem::path yume_views_folder(const platform::Environment& environment);

// How Yume's view of the session is kept; nullopt when Yume is not the host, or nothing is kept.
std::optional<session::ViewSettings> yume_view_settings(const Options& options,
                                                        const session::OpenedSession& session,
                                                        const PreparedSession& prepared,
                                                        const platform::Environment& environment);

struct SessionWorld {
  platform::FileSystem& files;
  const platform::Environment& environment;
  const platform::Clock& clock;
};

// The store of a working directory.
session::SessionStore make_session_store(const Options& options, const std::filesystem::path& cwd,
                                         const SessionWorld& world);

// The error's message is for the host, in the words it looks for.
Result<session::OpenedSession> open_session(const Options& options,
                                            const session::SessionStore& store,
                                            const SessionWorld& world);

}  // namespace yume::app
