// SPDX-License-Identifier: MIT
#include "app/sessions/session_texts.h"

#include "util/json_io.h"

namespace yume::app {
namespace {

using Kind = transcript::ShownItem::Kind;

const char* name_of(Kind kind) {
  switch (kind) {
    case Kind::prompt:
      return "prompt";
    case Kind::text:
      return "text";
    case Kind::thought:
      return "thinking";
    case Kind::call:
      return "tool_use";
    case Kind::failure:
      return "error";
    case Kind::interruption:
      return "interruption";
    case Kind::compaction:
      return "compaction";
  }
  return "";
}

void write_item(JsonWriter& json, const transcript::ShownItem& item) {
  json.begin_object().field("kind", name_of(item.kind)).field("time", item.time);
  if (item.kind == Kind::call) {
    json.field("id", item.call.id).field("name", item.call.name).field("input", item.call.input);
    if (item.result) {
      json.key("result").begin_object().field("text", item.result->text);
      json.field("isError", item.result->is_error).end_object();
    }
  } else {
    json.field("text", item.text);
  }
  json.end_object();
}

}  // namespace

std::string session_json(const transcript::ShownSession& session) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("id", session.id).field("title", session.title);
  json.field("cwd", session.cwd).field("model", session.model);
  json.field("created", session.created).field("updated", session.updated);
  json.field("messageCount", static_cast<std::int64_t>(session.message_count()));
  json.key("items").begin_array();
  for (const transcript::ShownItem& item : session.items) write_item(json, item);
  json.end_array().end_object();
  return text + "\n";
}

}  // namespace yume::app
