// SPDX-License-Identifier: MIT
// One message in the words that most formats share: a role, contents (a text, blocks, an object),
// calls and results beside them under several spellings. Private to the importers.
#pragma once

#include "transcript/importers/history_builder.h"
#include "transcript/importers/import_json.h"

namespace yume::transcript::import {

void add_chat_message(const Json& message, HistoryBuilder& history);

}  // namespace yume::transcript::import
