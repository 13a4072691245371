// SPDX-License-Identifier: MIT
// A session file of Claude Code, or one of ours. Pure.
#pragma once

#include <string>

#include "core/conversation.h"

namespace yume::transcript::import {

core::Conversation read_claude_history(std::string bytes);

}  // namespace yume::transcript::import
