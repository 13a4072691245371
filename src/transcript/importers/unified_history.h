// SPDX-License-Identifier: MIT
// The unified conversation format, version 1.0: an object with messages whose contents are blocks,
// and with calls and results beside them, under ids of their own and of the provider. Pure.
#pragma once

#include "core/conversation.h"
#include "transcript/importers/import_json.h"

namespace yume::transcript::import {

core::Conversation read_unified_history(const Json& conversation);

}  // namespace yume::transcript::import
