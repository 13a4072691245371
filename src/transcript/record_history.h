// SPDX-License-Identifier: MIT
// Makes a conversation that was had elsewhere this session's own: writes it as ordinary records.
#pragma once

#include "core/conversation.h"
#include "transcript/journal.h"

namespace yume::transcript {

// Tells each entry its position. The journal is of a new session.
void record_history(core::Conversation& conversation, Journal& journal);

}  // namespace yume::transcript
