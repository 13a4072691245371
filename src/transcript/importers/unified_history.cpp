// SPDX-License-Identifier: MIT
#include "transcript/importers/unified_history.h"

#include "transcript/importers/chat_message.h"

#include <map>

namespace yume::transcript::import {
namespace {

// A result may name its call by the id that the call's provider gave it.
void use_own_ids(Json& message, std::map<std::string, std::string>& own_ids) {
  for (const Json& call : at(message, {"toolCalls"})) {
    const std::string original = text_at(call, {"originalId"});
    if (!original.empty()) own_ids[original] = text_at(call, {"id"});
  }
  const auto results = message.find("toolResults");
  if (results == message.end() || !results->is_array()) return;
  for (Json& result : *results) {
    if (!text_at(result, {"toolCallId"}).empty()) continue;
    const auto own = own_ids.find(text_at(result, {"originalToolCallId"}));
    if (result.is_object() && own != own_ids.end()) result["toolCallId"] = own->second;
  }
}

}  // namespace

core::Conversation read_unified_history(const Json& conversation) {
  HistoryBuilder history;
  std::map<std::string, std::string> own_ids;
  for (Json message : at(conversation, {"messages"})) {
    if (!message.is_object()) continue;
    use_own_ids(message, own_ids);
    add_chat_message(message, history);
  }
  return history.finish();
}

}  // namespace yume::transcript::import
