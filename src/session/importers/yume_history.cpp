// SPDX-License-Identifier: MIT
#include "session/importers/yume_history.h"

#include "session/importers/chat_message.h"

namespace yume::session::import {

core::Conversation read_yume_history(const Json& messages) {
  HistoryBuilder history;
  for (const Json& message : messages) add_chat_message(message, history);
  return history.finish();
}

}  // namespace yume::session::import
