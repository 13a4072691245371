// SPDX-License-Identifier: MIT
// The content blocks of a prompt as the user's message: texts as they stand, what is mentioned as a
// name in its place, and its content, where the client sends it along, below. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/message.h"

namespace yume::protocol {

// `blocks` is an array; what is no block, or of a kind that is not known, is named or left out.
core::UserMessage read_acp_prompt(const nlohmann::json& blocks);

}  // namespace yume::protocol
