// SPDX-License-Identifier: MIT
#include "transcript/importers/yume_history.h"

#include "transcript/importers/chat_message.h"

namespace yume::transcript::import {

core::Conversation read_yume_history(const Json& messages) {
  HistoryBuilder history;
  for (const Json& message : messages) add_chat_message(message, history);
  return history.finish();
}

}  // namespace yume::transcript::import
