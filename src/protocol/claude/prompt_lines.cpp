// SPDX-License-Identifier: MIT
// The lines of Claude's dialect about the user's own messages: which one is where, and which ones a
// turn answers.
#include "protocol/claude/claude_stream.h"

#include "protocol/claude/words.h"
#include "util/overloaded.h"

#include <algorithm>

namespace yume::protocol {
namespace {

std::string_view state_name(core::PromptMoved::State state) {
  switch (state) {
    case core::PromptMoved::State::queued:
      return "queued";
    case core::PromptMoved::State::started:
      return "started";
    case core::PromptMoved::State::completed:
      return "completed";
    case core::PromptMoved::State::cancelled:
      break;
  }
  return "cancelled";
}

std::size_t media_size(const core::UserMessage& message) {
  std::size_t bytes = 0;
  for (const core::UserBlock& block : message.blocks) {
    if (const auto* media = std::get_if<core::Media>(&block)) bytes += media->base64.size();
  }
  return bytes;
}

void write_media_block(JsonWriter& json, const core::Media& media, bool with_data) {
  const bool picture = media.mime_type.starts_with("image/");
  json.begin_object();
  if (with_data) {
    json.field("type", picture ? "image" : "document").key("source").begin_object();
    json.field("type", "base64").field("media_type", media.mime_type);
    json.field("data", media.base64).end_object();
  } else {
    json.field("type", "text").field("text", "[" + media.mime_type + ", too long for this line]");
  }
  json.end_object();
}

}  // namespace

void ClaudeStream::on(const core::PromptMoved& moved) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "command_lifecycle").field("command_uuid", moved.uuid);
  json.field("state", state_name(moved.state));
  end_line(json, line);
}

void ClaudeStream::on(const core::PromptTaken& taken) {
  if (!taken.uuid.empty()) {
    prompt_uuids_.push_back(taken.uuid);
    if (!replied_) prompt_uuid_ = taken.uuid;
  }
  if (!look_.replays_prompts) return;
  // What is too long for a line is shown as far as it fits: the host has it.
  const bool with_media = media_size(taken.message) < k_payload / 2;
  std::size_t room = k_payload / 2;
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "user").key("message").begin_object().field("role", "user");
  json.key("content").begin_array();
  for (const core::UserBlock& block : taken.message.blocks) {
    std::visit(Overloaded{
                   [&](const std::string& text) {
                     const std::string_view shown = json_prefix(text, room);
                     room -= std::min(room, shown.size());
                     json.begin_object().field("type", "text").field("text", shown).end_object();
                   },
                   [&](const core::Media& media) { write_media_block(json, media, with_media); },
               },
               block);
  }
  json.end_array().end_object();
  write_parent(json);
  json.field("isReplay", true);
  end_line(json, line, taken.uuid.empty() ? taken.record_uuid : taken.uuid);
}

void ClaudeStream::write_prompt_uuids(JsonWriter& json) const {
  if (prompt_uuids_.empty()) return;
  json.field("user_message_uuid", prompt_uuid_.empty() ? prompt_uuids_.front() : prompt_uuid_);
  json.key("user_message_uuids").begin_array();
  for (const std::string& uuid : prompt_uuids_) json.string(uuid);
  json.end_array();
}

}  // namespace yume::protocol
