// SPDX-License-Identifier: MIT
// The lines of a message's blocks: texts and thoughts, collected from their pieces, and calls.
#include "protocol/claude/claude_stream.h"
#include "protocol/claude/words.h"
#include "protocol/result_fields.h"
#include "util/uuid.h"

#include <utility>

namespace yume::protocol {

void write_usage(JsonWriter& json, const core::Usage& usage) {
  json.key("usage").begin_object();
  write_usage_counts(json, usage);
  json.key("server_tool_use").begin_object();
  // WebFetch is no server's tool, here as in Claude Code.
  json.field("web_search_requests", usage.web_searches).field("web_fetch_requests", 0).end_object();
  json.field("service_tier", "standard").key("cache_creation").begin_object();
  json.field("ephemeral_1h_input_tokens", 0).field("ephemeral_5m_input_tokens", 0);
  json.end_object().end_object();
}

void ClaudeStream::open_block(Block block) {
  if (open_ == block) return;
  close_block();
  open_ = block;
  if (block == Block::text) {
    events_.begin_text();
  } else {
    events_.begin_thinking();
  }
}

void ClaudeStream::on(const core::TextDelta& delta) {
  open_block(Block::text);
  block_text_ += delta.text;
  events_.text(delta.text);
}

void ClaudeStream::on(const core::ThoughtDelta& delta) {
  open_block(Block::thinking);
  block_text_ += delta.text;
  events_.thinking(delta.text);
}

void ClaudeStream::on(const core::BlockDone& done) {
  if (done.extent == core::BlockDone::Extent::all) {
    close_block(done.aborted, done.uuid);
    return;
  }
  write_first_line(done.uuid);
}

void ClaudeStream::write_first_line(std::string_view uuid) {
  const std::string_view line = json_prefix(block_text_, core::k_longest_block);
  write_text_block(line, /*aborted=*/false, uuid);
  block_text_.erase(0, line.size());
}

void ClaudeStream::close_block(bool aborted, std::string_view uuid) {
  if (open_ == Block::none) return;
  while (json_prefix(block_text_, core::k_longest_block).size() < block_text_.size()) {
    write_first_line({});
  }
  if (!block_text_.empty()) write_text_block(block_text_, aborted, uuid);
  open_ = Block::none;
  block_text_.clear();
  events_.end_block();
}

void ClaudeStream::write_text_block(std::string_view text, bool aborted, std::string_view uuid) {
  if (open_ == Block::text && look_.result_repeats_last_text) last_text_ = text;
  write_block(text_block(text), uuid, aborted ? Extent::aborted : Extent::all);
  row_id_.clear();
}

std::string ClaudeStream::text_block(std::string_view text) const {
  std::string content;
  JsonWriter json(content);
  json.begin_object();
  if (open_ == Block::text) {
    json.field("type", "text").field("text", text);
  } else {
    // Gemini signs parts of its own, which never leave the history; readers demand the field.
    json.field("type", "thinking").field("thinking", text).field("signature", "");
  }
  if (look_.ids_on_blocks) json.field("id", make_uuid());
  json.end_object();
  return content;
}

OpenText ClaudeStream::open_text() const {
  if (open_ != Block::text) return {};
  return {.bytes = block_text_.size(), .row_id = row_id_};
}

void ClaudeStream::write_open_text(std::string row_id) {
  row_id_ = std::move(row_id);
  write_block(text_block(json_prefix(block_text_, core::k_longest_block)), {}, Extent::so_far);
}

void ClaudeStream::write_block(std::string_view block_json, std::string_view uuid, Extent extent) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "assistant");
  if (!row_id_.empty()) json.field("id", row_id_);
  if (extent == Extent::so_far) json.field("streaming", true);
  json.key("message").begin_object();
  json.field("id", message_id_).field("type", "message").field("role", "assistant");
  json.field("model", model_).key("content").begin_array().raw(block_json).end_array();
  json.key("stop_reason").null().key("stop_sequence").null();
  write_usage(json, shown(usage_));
  json.end_object();
  write_speaker(json);
  if (extent == Extent::aborted) json.field("aborted", true);
  if (!std::exchange(replied_, true)) write_prompt_uuids(json);
  end_line(json, line, uuid);
}

void ClaudeStream::on(const core::ToolCallReady& ready) {
  close_block();
  std::string content;
  JsonWriter json(content);
  json.begin_object().field("type", "tool_use").field("id", call_id(ready.call.id));
  json.field("name", shown_tool(ready.call.name));
  json.field("input", fit_input(ready.call.input, k_payload).shown).end_object();
  write_block(content, ready.uuid, Extent::all);
}

}  // namespace yume::protocol
