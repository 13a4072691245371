// SPDX-License-Identifier: MIT
#include "app/stdin_messages.h"

#include "transcript/importers/import_history.h"
#include "util/json_io.h"
#include "util/json_tree.h"

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

namespace yume::app {
namespace {

using nlohmann::json;

// Whatever else is JSON is a text that somebody wants to talk about.
bool is_message(const json& one) {
  if (!one.is_object()) return false;
  const std::string role = text_at(one, "role");
  const auto content = one.find("content");
  const bool says = content != one.end() && (content->is_string() || content->is_array());
  return says && (role == "user" || role == "assistant");
}

bool are_messages(const json& list) {
  return list.is_array() && !list.empty() && std::all_of(list.begin(), list.end(), is_message) &&
         text_at(list.back(), "role") == "user";
}

}  // namespace

std::optional<StdinMessages> read_stdin_messages(const std::string& text) {
  const std::size_t start = text.find_first_not_of(" \t\r\n");
  if (start == std::string::npos || (text[start] != '[' && text[start] != '{')) return std::nullopt;
  if (!check_json(text).ok()) return std::nullopt;
  const json read = read_json(text);
  const bool wrapped = read.is_object() && read.contains("messages");
  const json& list = wrapped ? read["messages"] : read;
  if (!are_messages(list)) return std::nullopt;
  auto imported = transcript::import_history(write_json(list));
  if (!imported.ok() || imported->conversation.entries.empty()) return std::nullopt;
  StdinMessages messages{.before = std::move(imported->conversation), .last = {}};
  auto* last = std::get_if<core::PastPrompt>(&messages.before.entries.back());
  if (last == nullptr) return std::nullopt;
  messages.last = std::move(last->message);
  messages.before.entries.pop_back();
  if (wrapped && read.contains("systemPrompt") && read["systemPrompt"].is_string()) {
    messages.system_prompt = read["systemPrompt"].get<std::string>();
  }
  return messages;
}

}  // namespace yume::app
