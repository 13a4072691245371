// SPDX-License-Identifier: MIT
#include "transcript/convert/unified_target.h"

#include "transcript/convert/iso_milliseconds.h"
#include "transcript/convert/unified_tools.h"
#include "util/overloaded.h"

#include <utility>

namespace yume::transcript {
namespace {

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

void write_text(JsonWriter& json, std::string_view text) {
  json.begin_object().field("type", "text").field("text", text).end_object();
}

void write_thought(JsonWriter& json, const SaidThought& thought) {
  const bool both = !thought.subject.empty() && !thought.text.empty();
  json.begin_object().field("type", "thinking");
  json.field("thinking", thought.subject + (both ? ": " : "") + thought.text).end_object();
}

void write_media(JsonWriter& json, const core::Media& media) {
  json.begin_object().field("type", "image").key("source").begin_object();
  json.field("type", "base64").field("media_type", media.mime_type);
  json.field("data", media.base64).end_object().end_object();
}

void write_result(JsonWriter& json, const std::string& call_id, const CallResult& result) {
  json.begin_object().field("type", "tool_result").field("tool_use_id", call_id);
  if (!result.content.text.empty()) {
    json.field("content", result.content);
  } else {
    json.field("content", result.is_unnamed ? std::string_view() : result.text);
  }
  json.field("is_error", result.is_error).end_object();
}

// Which blocks: readers want those of Gemini in a fixed order.
enum class Pass { thoughts, calls, rest, all };

class Blocks {
 public:
  Blocks(JsonWriter& json, SessionSource source) : json_(json), source_(source) {}

  void write(const std::vector<SaidBlock>& blocks, Pass pass) {
    for (const SaidBlock& block : blocks) {
      if (pass != Pass::all && pass_of(block) != pass) continue;
      std::visit([this](const auto& one) { add(one); }, block);
    }
  }

 private:
  static Pass pass_of(const SaidBlock& block) {
    if (std::holds_alternative<SaidThought>(block)) return Pass::thoughts;
    const bool call =
        std::holds_alternative<SaidCall>(block) || std::holds_alternative<SaidResult>(block);
    return call ? Pass::calls : Pass::rest;
  }

  void add(const SaidText& said) { write_text(json_, said.text); }
  void add(const SaidThought& thought) { write_thought(json_, thought); }
  void add(const SaidCall& call) {
    const bool gemini = source_ == SessionSource::gemini_cli;
    const UnifiedCall named = gemini ? unified_call(call) : UnifiedCall{call.name, call.input};
    json_.begin_object().field("type", "tool_use").field("id", call.id);
    json_.field("name", named.name).field("input", named.input).end_object();
    if (call.result) write_result(json_, call.id, *call.result);
  }
  void add(const SaidResult& said) { write_result(json_, said.call_id, said.result); }
  void add(const core::Media& media) { write_media(json_, media); }
  void add(const SaidFile& file) { write_text(json_, "[file: " + file.uri + "]"); }
  void add(const SaidCommand& said) {
    json_.begin_object().field("type", "slash_command").field("command", said.command);
    if (!said.message.empty()) json_.field("message", said.message);
    if (!said.arguments.empty()) json_.field("args", said.arguments);
    json_.end_object();
  }

  JsonWriter& json_;
  SessionSource source_;
};

// All texts become one, behind everything else.
std::string join_texts(std::vector<SaidBlock>& blocks) {
  std::string text;
  std::erase_if(blocks, [&text](const SaidBlock& block) {
    const auto* said = std::get_if<SaidText>(&block);
    if (said != nullptr) text += said->text;
    return said != nullptr;
  });
  return text;
}

void write_content(JsonWriter& json, SessionRecord& record, SessionSource source) {
  json.key("content");
  if (source == SessionSource::gemini_cli) {
    std::string text = join_texts(record.blocks);
    if (record.blocks.empty() && is_blank(text)) {
      json.string(text);
      return;
    }
    json.begin_array();
    Blocks blocks(json, source);
    for (const Pass pass : {Pass::thoughts, Pass::calls, Pass::rest}) {
      blocks.write(record.blocks, pass);
    }
    if (!is_blank(text)) write_text(json, text);
    json.end_array();
    return;
  }
  const auto* only = record.is_plain_text && record.blocks.size() == 1
                         ? std::get_if<SaidText>(&record.blocks.front())
                         : nullptr;
  if (only != nullptr) {
    json.string(only->text);
    return;
  }
  json.begin_array();
  Blocks(json, source).write(record.blocks, Pass::all);
  json.end_array();
}

// Both spellings: one is in its readers' code, the other in its documents.
void write_usage(JsonWriter& json, const TokenCounts& tokens, SessionSource source) {
  json.key("usage").begin_object();
  json.field("inputTokens", tokens.input).field("outputTokens", tokens.output);
  json.field("totalTokens", tokens.total);
  if (source != SessionSource::gemini_cli) {
    json.field("cacheCreationTokens", tokens.cache_creation);
    json.field("cacheReadTokens", tokens.cached);
  }
  json.field("input_tokens", tokens.input).field("output_tokens", tokens.output);
  json.field("total_tokens", tokens.total).end_object();
}

const char* role_of(RecordSpeaker speaker) {
  switch (speaker) {
    case RecordSpeaker::user:
      return "user";
    case RecordSpeaker::model:
      return "assistant";
    case RecordSpeaker::system:
      break;
  }
  return "system";
}

}  // namespace

void UnifiedTarget::begin(const SessionFacts& facts) {
  facts_ = facts;
  if (form_ == JsonForm::whole) out_("[");
}

void UnifiedTarget::record(SessionRecord record) {
  if (record.is_for_people) return;
  std::string text = form_ == JsonForm::whole && !std::exchange(first_, false) ? ",\n" : "";
  text += message(record);
  if (form_ == JsonForm::lines) text += '\n';
  out_(text);
}

void UnifiedTarget::end() {
  if (form_ == JsonForm::whole) out_("]\n");
}

std::string UnifiedTarget::message(SessionRecord& record) const {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("id", record.id).field("role", role_of(record.speaker));
  write_content(json, record, facts_.source);
  const auto time = iso_milliseconds(record.time);
  json.field("timestamp", time ? *time : iso_milliseconds(facts_.started).value_or(0));
  json.field("tool", facts_.source == SessionSource::claude ? "claude" : "gemini");
  if (!record.model.empty()) json.field("model", record.model);
  if (record.tokens) write_usage(json, *record.tokens, facts_.source);
  json.field("_original", record.original).end_object();
  return text;
}

}  // namespace yume::transcript
