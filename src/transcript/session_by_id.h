// SPDX-License-Identifier: MIT
// The session that a person means by an id or by its beginning.
#pragma once

#include <string>

#include "transcript/session_store.h"
#include "util/result.h"

namespace yume::transcript {

// Error not_found when no id is or begins so; invalid_argument, with the candidates, when several
// begin so.
Result<FoundSession> find_session(const SessionStore& store, const std::string& id);

}  // namespace yume::transcript
