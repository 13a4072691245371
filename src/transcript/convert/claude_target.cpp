// SPDX-License-Identifier: MIT
#include "transcript/convert/claude_target.h"

#include "core/gemini_cli_input.h"
#include "transcript/convert/call_outcome.h"
#include "transcript/convert/derived_uuid.h"
#include "transcript/convert/diff_hunks.h"
#include "transcript/importers/import_json.h"
#include "util/overloaded.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::transcript {
namespace {

constexpr std::string_view k_unknown_model = "gemini";

bool is_blank(std::string_view text) {
  return text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

void write_text(JsonWriter& json, std::string_view text) {
  json.begin_object().field("type", "text").field("text", text).end_object();
}

void write_media(JsonWriter& json, const core::Media& media) {
  const bool image = media.mime_type.starts_with("image/");
  json.begin_object().field("type", image ? "image" : "document").key("source").begin_object();
  json.field("type", "base64").field("media_type", media.mime_type);
  json.field("data", media.base64).end_object().end_object();
}

void write_thought(JsonWriter& json, const SaidThought& thought) {
  const std::string heading = thought.subject.empty() ? "" : "**" + thought.subject + "**\n";
  json.begin_object().field("type", "thinking").field("thinking", heading + thought.text);
  json.field("signature", "").end_object();
}

void write_result(JsonWriter& json, const std::string& call_id, const CallResult& result) {
  json.begin_object().field("type", "tool_result").field("tool_use_id", call_id).key("content");
  if (result.media.empty()) {
    json.string(result.text);
  } else {
    json.begin_array();
    if (!result.text.empty()) write_text(json, result.text);
    for (const core::Media& media : result.media) write_media(json, media);
    json.end_array();
  }
  json.field("is_error", result.is_error).end_object();
}

// Files are named as they were from the project's folder.
void make_absolute(const std::string& cwd, core::MappedCall& call) {
  constexpr std::array<std::string_view, 3> k_tools = {"Read", "Write", "Edit"};
  if (cwd.empty() || std::find(k_tools.begin(), k_tools.end(), call.name) == k_tools.end()) return;
  const std::string path = import::text_at(call.input, {"file_path"});
  const bool absolute = path.starts_with('/') || path.find(":\\") == 1 || path.starts_with("\\\\");
  if (!path.empty() && !absolute) call.input["file_path"] = cwd + "/" + path;
}

void write_call(JsonWriter& json, const SaidCall& call, const std::string& cwd) {
  core::MappedCall mapped = core::map_gemini_cli_call(
      call.name, import::parse(call.input.text).value_or(import::Json::object()));
  make_absolute(cwd, mapped);
  json.begin_object().field("type", "tool_use").field("id", call.id);
  json.field("name", mapped.name).field("input", import::raw(mapped.input)).end_object();
}

void write_usage(JsonWriter& json, const TokenCounts& tokens) {
  json.key("usage").begin_object();
  json.field("input_tokens", std::max<std::int64_t>(0, tokens.input - tokens.cached));
  json.field("cache_creation_input_tokens", tokens.cache_creation);
  json.field("cache_read_input_tokens", tokens.cached);
  json.field("output_tokens", tokens.output + tokens.thoughts).end_object();
}

void write_thoughts_and_texts(JsonWriter& json, const SessionRecord& record) {
  for (const SaidBlock& block : record.blocks) {
    if (const auto* thought = std::get_if<SaidThought>(&block)) write_thought(json, *thought);
  }
  std::string text;
  for (const SaidBlock& block : record.blocks) {
    if (const auto* said = std::get_if<SaidText>(&block)) text += said->text;
  }
  if (!is_blank(text)) write_text(json, text);
}

bool says_something(const SaidBlock& block) {
  const auto* text = std::get_if<SaidText>(&block);
  return text == nullptr || !is_blank(text->text);
}

}  // namespace

void ClaudeTarget::begin(const SessionFacts& facts) {
  facts_ = facts;
}

void ClaudeTarget::record(SessionRecord record) {
  count_ += 1;
  if (facts_.source != SessionSource::gemini_cli) {
    std::string line;
    append_ascii_json(line, record.original.text);
    out_(line + "\n");
    return;
  }
  const bool silent = std::none_of(record.blocks.begin(), record.blocks.end(), says_something);
  if (record.is_for_people || silent) return;
  if (record.speaker == RecordSpeaker::user) {
    user(record);
  } else {
    model(record);
  }
}

void ClaudeTarget::user(const SessionRecord& record) {
  std::string line;
  JsonWriter json(line);
  begin_line(json, "user");
  json.key("message").begin_object().field("role", "user").key("content").begin_array();
  for (const SaidBlock& block : record.blocks) {
    std::visit(Overloaded{
                   [&json](const SaidText& said) { write_text(json, said.text); },
                   [](const SaidThought&) {},
                   [](const SaidCall&) {},
                   [&json](const SaidResult& said) {
                     CallResult result = said.result;
                     result.text = without_wrapper(std::move(result.text));
                     write_result(json, said.call_id, result);
                   },
                   [&json](const core::Media& media) { write_media(json, media); },
                   [&json](const SaidFile& file) { write_text(json, "[file: " + file.uri + "]"); },
                   [&json](const SaidCommand& said) { write_text(json, said.command); },
               },
               block);
  }
  json.end_array().end_object();
  end_line(json, uuid_of(record), record);
  out_(line + "\n");
}

void ClaudeTarget::model(const SessionRecord& record) {
  if (!record.model.empty()) model_ = record.model;
  std::vector<const SaidCall*> calls;
  for (const SaidBlock& block : record.blocks) {
    if (const auto* call = std::get_if<SaidCall>(&block)) calls.push_back(call);
  }
  const std::string uuid = uuid_of(record);
  std::string line;
  JsonWriter json(line);
  begin_line(json, "assistant");
  json.key("message").begin_object().field("id", uuid).field("type", "message");
  json.field("role", "assistant").field("model", model_.empty() ? k_unknown_model : model_);
  json.key("content").begin_array();
  write_thoughts_and_texts(json, record);
  for (const SaidCall* call : calls) write_call(json, *call, facts_.cwd);
  json.end_array().field("stop_reason", calls.empty() ? "end_turn" : "tool_use");
  json.key("stop_sequence").null();
  write_usage(json, record.tokens.value_or(TokenCounts{}));
  json.end_object();
  end_line(json, uuid, record);
  out_(line + "\n");
  if (!calls.empty()) results(record, calls);
}

void ClaudeTarget::results(const SessionRecord& record, const std::vector<const SaidCall*>& calls) {
  std::string line;
  JsonWriter json(line);
  begin_line(json, "user");
  json.key("message").begin_object().field("role", "user").key("content").begin_array();
  for (const SaidCall* call : calls) write_result(json, call->id, outcome_of(*call));
  json.end_array().end_object();
  const auto& only = calls.front()->result;
  const auto details = calls.size() == 1 && only ? edit_details(only->details) : std::nullopt;
  if (details) json.field("toolUseResult", *details);
  json.field("sourceToolAssistantUUID", parent_);
  parent_ = derived_uuid(parent_ + "/results");
  json.field("uuid", parent_).field("timestamp", record.time).end_object();
  out_(line + "\n");
}

void ClaudeTarget::begin_line(JsonWriter& json, const char* type) const {
  json.begin_object().key("parentUuid");
  if (parent_.empty()) {
    json.null();
  } else {
    json.string(parent_);
  }
  json.field("isSidechain", false).field("userType", "external");
  json.field("cwd", facts_.cwd).field("sessionId", facts_.id).field("version", version_);
  json.field("type", type);
}

void ClaudeTarget::end_line(JsonWriter& json, const std::string& uuid,
                            const SessionRecord& record) {
  parent_ = uuid;
  json.field("uuid", uuid).field("timestamp", record.time);
  json.field("_original", record.original).end_object();
}

std::string ClaudeTarget::uuid_of(const SessionRecord& record) const {
  if (!record.id.empty()) return record.id;
  return derived_uuid(facts_.id + "/" + std::to_string(count_));
}

}  // namespace yume::transcript
