// SPDX-License-Identifier: MIT
// `--resume` without an id, for a person at a terminal: shows the sessions of the folder, and lets
// one be chosen.
#pragma once

#include <optional>
#include <string>

#include "app/options.h"
#include "platform/environment.h"
#include "protocol/line_writer.h"
#include "transcript/session_store.h"
#include "util/result.h"

namespace yume::app {

// Blocks for the person's choice; nullopt: they want none. Error not_found: there are no sessions.
// Signals must be blocked.
Result<std::optional<std::string>> choose_session_to_resume(
    const transcript::SessionStore& store, const Options& options,
    const platform::Environment& environment, protocol::Output& out);

}  // namespace yume::app
