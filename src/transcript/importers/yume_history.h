// SPDX-License-Identifier: MIT
// Yume's history file: an array of {role, content, toolCalls}, as its window stored them. Also the
// `history` of Yume's views. Pure.
#pragma once

#include "core/conversation.h"
#include "transcript/importers/import_json.h"

namespace yume::transcript::import {

core::Conversation read_yume_history(const Json& messages);

}  // namespace yume::transcript::import
