// SPDX-License-Identifier: MIT
#include "protocol/claude/stream_events.h"

#include "protocol/emitter.h"
#include "protocol/result_fields.h"

#include <utility>

namespace yume::protocol {
namespace {

constexpr std::size_t k_payload = k_max_line_bytes - 20'000;

}  // namespace

StreamEvents::StreamEvents(bool enabled, Write write)
    : enabled_(enabled), write_(std::move(write)) {}

void StreamEvents::event(const std::function<void(JsonWriter&)>& fields) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "stream_event").key("event").begin_object();
  fields(json);
  json.end_object();
  write_(json, line);
}

void StreamEvents::begin_message(const core::MessageStarted& started, const core::Usage& usage) {
  if (!enabled_) return;
  end_message("", usage);
  in_message_ = true;
  index_ = 0;
  event([&](JsonWriter& json) {
    json.field("type", "message_start").key("message").begin_object();
    json.field("id", started.message_id).field("type", "message").field("role", "assistant");
    json.field("model", started.model).key("content").begin_array().end_array();
    json.key("stop_reason").null().key("stop_sequence").null();
    json.key("usage").begin_object();
    write_usage_counts(json, usage);
    json.end_object().end_object();
  });
}

void StreamEvents::begin_block(const std::function<void(JsonWriter&)>& block) {
  if (!enabled_) return;
  end_block();
  in_block_ = true;
  event([&](JsonWriter& json) {
    json.field("type", "content_block_start").field("index", index_);
    json.key("content_block").begin_object();
    block(json);
    json.end_object();
  });
}

void StreamEvents::begin_text() {
  begin_block([](JsonWriter& json) { json.field("type", "text").field("text", ""); });
}

void StreamEvents::begin_thinking() {
  begin_block([](JsonWriter& json) {
    json.field("type", "thinking").field("thinking", "").field("signature", "");
  });
}

void StreamEvents::begin_call(std::string_view id, std::string_view name) {
  begin_block([&](JsonWriter& json) {
    json.field("type", "tool_use").field("id", id).field("name", name);
    json.key("input").begin_object().end_object();
  });
}

void StreamEvents::delta(std::string_view type, std::string_view field, std::string_view piece) {
  if (!enabled_) return;
  while (!piece.empty()) {
    const std::string_view part = json_prefix(piece, k_payload);
    piece.remove_prefix(part.size());
    event([&](JsonWriter& json) {
      json.field("type", "content_block_delta").field("index", index_);
      json.key("delta").begin_object().field("type", type).field(field, part).end_object();
    });
  }
}

void StreamEvents::text(std::string_view piece) {
  delta("text_delta", "text", piece);
}

void StreamEvents::thinking(std::string_view piece) {
  delta("thinking_delta", "thinking", piece);
}

void StreamEvents::arguments(std::string_view json_piece) {
  delta("input_json_delta", "partial_json", json_piece);
}

void StreamEvents::end_block() {
  if (!std::exchange(in_block_, false)) return;
  event([&](JsonWriter& json) { json.field("type", "content_block_stop").field("index", index_); });
  ++index_;
}

void StreamEvents::end_message(std::string_view stop_reason, const core::Usage& usage) {
  if (!std::exchange(in_message_, false)) return;
  end_block();
  event([&](JsonWriter& json) {
    json.field("type", "message_delta").key("delta").begin_object().key("stop_reason");
    if (stop_reason.empty()) {
      json.null();
    } else {
      json.string(stop_reason);
    }
    json.key("stop_sequence").null().end_object().key("usage").begin_object();
    write_usage_counts(json, usage);
    json.end_object();
  });
  event([](JsonWriter& json) { json.field("type", "message_stop"); });
}

}  // namespace yume::protocol
