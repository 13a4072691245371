// SPDX-License-Identifier: MIT
// Puts a conversation that was read from disk or brought from elsewhere into the form the server
// wants. Replies of this API go back as they came, others in its words.
#pragma once

#include "agent/compactor.h"
#include "core/conversation.h"
#include "gemini/history.h"

namespace yume::agent {

// Appends to `kept`. Consumes the conversation's entries, which may be large.
void restore(std::vector<core::PastEntry> entries, KeptHistory& kept, gemini::MediaPlace place);

}  // namespace yume::agent
