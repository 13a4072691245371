// SPDX-License-Identifier: MIT
#include "transcript/convert/gemini_target.h"

#include "core/gemini_cli_calls.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace yume::transcript {
namespace {

// "**Subject**\ntext" is how a thought of Gemini looks elsewhere.
SaidThought with_subject(const SaidThought& thought) {
  const std::string& text = thought.text;
  const std::size_t end = text.starts_with("**") ? text.find("**", 2) : std::string::npos;
  if (!thought.subject.empty() || end == std::string::npos) return thought;
  const std::size_t from = text.find_first_not_of(" \r\n", end + 2);
  return {.subject = text.substr(2, end - 2),
          .text = from == std::string::npos ? "" : text.substr(from)};
}

void write_media(JsonWriter& json, const core::Media& media) {
  json.begin_object().key("inlineData").begin_object().field("mimeType", media.mime_type);
  json.field("data", media.base64).end_object().end_object();
}

void write_response(JsonWriter& json, const std::string& id, const std::string& name,
                    const CallResult& result) {
  json.begin_object().key("functionResponse").begin_object().field("id", id).field("name", name);
  json.key("response").begin_object();
  json.field(result.is_error ? "error" : "output", result.text).end_object();
  if (!result.media.empty()) {
    json.key("parts").begin_array();
    for (const core::Media& media : result.media) write_media(json, media);
    json.end_array();
  }
  json.end_object().end_object();
}

void write_call(JsonWriter& json, const SaidCall& call, const std::string& time) {
  const core::GeminiCliCall named =
      core::as_gemini_cli_call({.id = call.id, .name = call.name, .input = call.input});
  json.begin_object().field("id", call.id).field("name", named.name);
  json.field("args", named.parameters);
  if (call.result) {
    json.key("result").begin_array();
    write_response(json, call.id, named.name, *call.result);
    json.end_array();
  }
  const bool failed = call.result && call.result->is_error;
  const char* status = failed ? "error" : "success";
  json.field("status", call.result ? status : "cancelled").field("timestamp", time).end_object();
}

std::string text_of(const std::vector<SaidBlock>& blocks) {
  std::string text;
  for (const SaidBlock& block : blocks) {
    if (const auto* said = std::get_if<SaidText>(&block)) text += said->text;
  }
  return text;
}

void write_tokens(JsonWriter& json, const TokenCounts& tokens) {
  json.key("tokens").begin_object();
  json.field("input", tokens.input + tokens.cached + tokens.cache_creation);
  json.field("output", tokens.output).field("cached", tokens.cached);
  json.field("thoughts", tokens.thoughts).field("tool", tokens.tool);
  json.field("total", tokens.input + tokens.cached + tokens.cache_creation + tokens.output);
  json.end_object();
}

std::string reply_message(const SessionRecord& reply) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("id", reply.id).field("timestamp", reply.time);
  json.field("type", "gemini").field("content", text_of(reply.blocks));
  json.key("thoughts").begin_array();
  for (const SaidBlock& block : reply.blocks) {
    const auto* thought = std::get_if<SaidThought>(&block);
    if (thought == nullptr) continue;
    const SaidThought split = with_subject(*thought);
    json.begin_object().field("subject", split.subject).field("description", split.text);
    json.field("timestamp", reply.time).end_object();
  }
  json.end_array();
  if (reply.tokens) write_tokens(json, *reply.tokens);
  if (!reply.model.empty()) json.field("model", reply.model);
  bool calls = false;
  for (const SaidBlock& block : reply.blocks) {
    const auto* call = std::get_if<SaidCall>(&block);
    if (call == nullptr) continue;
    if (!std::exchange(calls, true)) json.key("toolCalls").begin_array();
    write_call(json, *call, reply.time);
  }
  if (calls) json.end_array();
  json.end_object();
  return text;
}

std::string command_text(const SaidCommand& said) {
  return said.command + (said.arguments.empty() ? "" : " " + said.arguments);
}

void write_part(JsonWriter& json, std::string_view text) {
  json.begin_object().field("text", text).end_object();
}

}  // namespace

void GeminiTarget::begin(const SessionFacts& facts) {
  facts_ = facts;
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("sessionId", facts.id).field("projectHash", facts.project_hash);
  json.field("startTime", facts.started);
  json.field("lastUpdated", facts.updated.empty() ? facts.started : facts.updated);
  if (!facts.kind.empty()) json.field("kind", facts.kind);
  if (!facts.summary.empty()) json.field("summary", facts.summary);
  if (form_ == JsonForm::whole) {
    json.key("messages").begin_array();
    out_(text);
    return;
  }
  json.end_object();
  out_(text + "\n");
}

void GeminiTarget::record(SessionRecord record) {
  if (facts_.source == SessionSource::gemini_cli) {
    std::string message;
    append_ascii_json(message, record.original.text);
    write(message);
    return;
  }
  if (record.is_for_people || record.speaker == RecordSpeaker::system) return;
  if (record.speaker == RecordSpeaker::user) {
    take_results(record);
    if (!record.blocks.empty()) user(record);
    return;
  }
  const bool goes_on =
      reply_ && !record.message_id.empty() && reply_->message_id == record.message_id;
  if (!goes_on) {
    finish_reply();
    reply_ = std::move(record);
    return;
  }
  std::move(record.blocks.begin(), record.blocks.end(), std::back_inserter(reply_->blocks));
  if (record.tokens) reply_->tokens = record.tokens;
}

void GeminiTarget::end() {
  finish_reply();
  if (form_ == JsonForm::whole) out_("]}\n");
}

// Those whose call is gone stay with the user.
void GeminiTarget::take_results(SessionRecord& record) {
  if (!reply_) return;
  std::erase_if(record.blocks, [this](SaidBlock& block) {
    auto* said = std::get_if<SaidResult>(&block);
    if (said == nullptr) return false;
    for (SaidBlock& one : reply_->blocks) {
      auto* call = std::get_if<SaidCall>(&one);
      if (call == nullptr || call->id != said->call_id) continue;
      if (!call->result) call->result = std::move(said->result);
      return true;
    }
    return false;
  });
}

void GeminiTarget::user(SessionRecord& record) {
  finish_reply();
  std::string text;
  JsonWriter json(text);
  json.begin_object().field("id", record.id).field("timestamp", record.time);
  json.field("type", "user").key("content").begin_array();
  for (const SaidBlock& block : record.blocks) {
    if (const auto* said = std::get_if<SaidText>(&block)) write_part(json, said->text);
    if (const auto* media = std::get_if<core::Media>(&block)) write_media(json, *media);
    if (const auto* file = std::get_if<SaidFile>(&block)) write_part(json, file->uri);
    if (const auto* said = std::get_if<SaidCommand>(&block)) write_part(json, command_text(*said));
    if (const auto* said = std::get_if<SaidResult>(&block)) {
      write_response(json, said->call_id, "", said->result);
    }
  }
  json.end_array().end_object();
  write(text);
}

void GeminiTarget::finish_reply() {
  if (reply_) write(reply_message(*reply_));
  reply_.reset();
}

void GeminiTarget::write(std::string_view message) {
  const bool whole = form_ == JsonForm::whole;
  if (whole && !std::exchange(first_, false)) out_(",\n");
  out_(message);
  if (!whole) out_("\n");
}

}  // namespace yume::transcript
