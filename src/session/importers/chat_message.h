// SPDX-License-Identifier: MIT
// One message in the words that most formats share: a role, contents (a text, blocks, an object),
// calls and results beside them under several spellings. Private to the importers.
#pragma once

#include "session/importers/history_builder.h"
#include "session/importers/import_json.h"

namespace yume::session::import {

void add_chat_message(const Json& message, HistoryBuilder& history);

}  // namespace yume::session::import
