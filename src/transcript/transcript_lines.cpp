// SPDX-License-Identifier: MIT
#include "transcript/transcript_lines.h"

#include "protocol/claude/tool_details.h"
#include "util/iso_time.h"
#include "util/json_io.h"

#include <algorithm>

namespace yume::transcript {
namespace {

void nullable(JsonWriter& json, std::string_view key, std::string_view value) {
  json.key(key);
  if (value.empty()) {
    json.null();
  } else {
    json.string(value);
  }
}

// Everything before `message`.
void begin_line(JsonWriter& json, const LineHead& head, const LineLink& link,
                std::string_view type) {
  json.begin_object();
  nullable(json, "parentUuid", link.parent);
  json.field("isSidechain", !head.agent_id.empty())
      .field("userType", "external")
      .field("cwd", head.cwd);
  if (!head.agent_id.empty()) json.field("agentId", head.agent_id);
  json.field("sessionId", head.session_id).field("version", head.version);
  if (!head.git_branch.empty()) json.field("gitBranch", head.git_branch);
  json.field("type", type);
}

void end_line(JsonWriter& json, const LineLink& link) {
  json.field("uuid", link.uuid).field("timestamp", iso_time(link.time)).end_object();
}

void begin_own_line(JsonWriter& json, const LineHead& head, platform::WallTime time,
                    std::string_view type) {
  json.begin_object().field("type", type).field("sessionId", head.session_id);
  json.field("timestamp", iso_time(time));
}

void write_media(JsonWriter& json, const core::Media& media) {
  const bool image = media.mime_type.starts_with("image/");
  json.begin_object().field("type", image ? "image" : "document").key("source").begin_object();
  json.field("type", "base64").field("media_type", media.mime_type);
  json.field("data", media.base64).end_object().end_object();
}

void write_text_block(JsonWriter& json, std::string_view text) {
  json.begin_object().field("type", "text").field("text", text).end_object();
}

void write_content(JsonWriter& json, const core::UserMessage& message) {
  json.key("content");
  const auto* only =
      message.blocks.size() == 1 ? std::get_if<std::string>(&message.blocks[0]) : nullptr;
  if (only != nullptr) {
    json.string(*only);
    return;
  }
  json.begin_array();
  for (const core::UserBlock& block : message.blocks) {
    if (const auto* text = std::get_if<std::string>(&block)) {
      write_text_block(json, *text);
    } else {
      write_media(json, std::get<core::Media>(block));
    }
  }
  json.end_array();
}

void write_usage(JsonWriter& json, const core::Usage& usage) {
  json.key("usage").begin_object();
  json.field("input_tokens", usage.uncached_prompt());
  json.field("cache_creation_input_tokens", 0);
  json.field("cache_read_input_tokens", usage.cached_tokens);
  json.field("output_tokens", usage.billed_output()).field("service_tier", "standard");
  json.end_object();
}

void begin_reply(JsonWriter& json, std::string_view id, std::string_view model) {
  json.key("message").begin_object().field("id", id).field("type", "message");
  json.field("role", "assistant").field("model", model).key("content").begin_array();
}

void end_reply(JsonWriter& json, const core::Usage& usage) {
  json.end_array().key("stop_reason").null().key("stop_sequence").null();
  write_usage(json, usage);
  json.end_object();
}

void write_result_content(JsonWriter& json, const core::ToolOutcome& outcome) {
  json.key("content");
  if (outcome.media.empty()) {
    json.string(outcome.content);
    return;
  }
  json.begin_array();
  if (!outcome.content.empty()) write_text_block(json, outcome.content);
  for (const core::Media& media : outcome.media) write_media(json, media);
  json.end_array();
}

// May stand in a line as it is.
bool is_plain(std::string_view json) {
  return std::all_of(json.begin(), json.end(), [](char c) { return c >= ' ' && c < '\x7f'; });
}

}  // namespace

std::string prompt_line(const LineHead& head, const LineLink& link,
                        const core::UserMessage& message, PromptKind kind) {
  std::string line;
  JsonWriter json(line);
  begin_line(json, head, link, "user");
  json.key("message").begin_object().field("role", "user");
  write_content(json, message);
  json.end_object();
  if (kind == PromptKind::synthetic) json.field("isMeta", true);
  if (kind == PromptKind::marker) json.field("isInterruptMarker", true);
  if (kind == PromptKind::summary) {
    json.field("isCompactSummary", true).field("isVisibleInTranscriptOnly", true);
  }
  end_line(json, link);
  return line;
}

BlockLine block_line(const LineHead& head, const LineLink& link, const ReplyHead& reply,
                     BlockKind kind, std::string_view text) {
  BlockLine made;
  std::string& line = made.line;
  line.reserve(text.size() + text.size() / 8 + 1024);
  JsonWriter json(line);
  begin_line(json, head, link, "assistant");
  begin_reply(json, reply.message_id, reply.model);
  const char* const type = kind == BlockKind::text ? "text" : "thinking";
  json.begin_object().field("type", type).key(type).begin_string();
  made.text_from = line.size();
  append_json_characters(line, text);
  made.text_size = line.size() - made.text_from;
  json.end_string();
  if (kind == BlockKind::thought) json.field("signature", "");
  json.end_object();
  end_reply(json, reply.usage);
  end_line(json, link);
  return made;
}

std::string call_line(const LineHead& head, const LineLink& link, const ReplyHead& reply,
                      const core::ToolCall& call) {
  std::string line;
  JsonWriter json(line);
  begin_line(json, head, link, "assistant");
  begin_reply(json, reply.message_id, reply.model);
  json.begin_object().field("type", "tool_use").field("id", call.id).field("name", call.name);
  json.field("input", call.input).end_object();
  end_reply(json, reply.usage);
  end_line(json, link);
  return line;
}

std::string result_line(const LineHead& head, const LineLink& link, const std::string& call_uuid,
                        const core::ToolCall& call, const core::ToolOutcome& outcome) {
  std::string line;
  line.reserve(outcome.content.size() * 2 + 1024);
  JsonWriter json(line);
  begin_line(json, head, link, "user");
  json.key("message").begin_object().field("role", "user").key("content").begin_array();
  json.begin_object().field("type", "tool_result").field("tool_use_id", call.id);
  write_result_content(json, outcome);
  if (outcome.is_error || outcome.reports_success) json.field("is_error", outcome.is_error);
  json.end_object().end_array().end_object();
  protocol::write_tool_use_result(json, "toolUseResult", outcome);
  if (!call_uuid.empty()) json.field("sourceToolAssistantUUID", call_uuid);
  if (!outcome.model_note.empty()) json.field("geminiNote", outcome.model_note);
  end_line(json, link);
  return line;
}

std::string failure_line(const LineHead& head, const LineLink& link, std::string_view text) {
  std::string line;
  JsonWriter json(line);
  begin_line(json, head, link, "assistant");
  begin_reply(json, link.uuid, "<synthetic>");
  write_text_block(json, text);
  end_reply(json, {});
  json.field("isApiErrorMessage", true);
  end_line(json, link);
  return line;
}

std::string boundary_line(const LineHead& head, const LineLink& link,
                          const CompactionRecord& record) {
  std::string line;
  JsonWriter json(line);
  begin_line(json, head, link, "system");
  nullable(json, "logicalParentUuid", record.logical_parent);
  json.field("subtype", "compact_boundary").field("content", "Conversation compacted");
  json.field("isMeta", false).field("level", "info").key("compactMetadata").begin_object();
  json.field("trigger", record.trigger).field("preTokens", record.pre_tokens);
  json.field("postTokens", record.post_tokens);
  if (!record.kept.empty()) {
    json.key("preservedSegment").begin_object().field("headUuid", record.kept.front());
    json.field("anchorUuid", record.summary_uuid).field("tailUuid", record.kept.back());
    json.end_object().key("preservedMessages").begin_object();
    json.field("anchorUuid", record.summary_uuid).key("uuids").begin_array();
    for (const std::string& uuid : record.kept) json.string(uuid);
    json.end_array().end_object();
  }
  json.end_object();
  end_line(json, link);
  return line;
}

ContentLine::ContentLine(const LineHead& head, platform::WallTime time,
                         const std::string& message_id, const core::RawContent& content,
                         std::span<const core::PastCall> calls) {
  JsonWriter json(begin_);
  begin_own_line(json, head, time, "gemini-content");
  json.field("messageId", message_id).field("role", content.from_model ? "model" : "user");
  json.key("parts").begin_array();
  pieces_.emplace_back(begin_);
  converted_.reserve(content.parts.size());
  for (const std::string& part : content.parts) {
    if (pieces_.size() > 1) pieces_.emplace_back(",");
    if (is_plain(part)) {
      pieces_.emplace_back(part);
    } else {
      append_ascii_json(converted_.emplace_back(), part);
      pieces_.emplace_back(converted_.back());
    }
  }
  end_ = "]";
  if (!calls.empty()) {
    end_ += R"(,"calls":)";
    JsonWriter list(end_);
    list.begin_array();
    for (const core::PastCall& call : calls) {
      list.begin_object().field("id", call.id).field("name", call.name);
      if (call.provider_id) list.field("providerId", *call.provider_id);
      list.end_object();
    }
    list.end_array();
  }
  end_ += "}\n";
  pieces_.emplace_back(end_);
}

std::string rewind_line(const LineHead& head, platform::WallTime time, const std::string& leaf) {
  std::string line;
  JsonWriter json(line);
  begin_own_line(json, head, time, "gemini-rewind");
  nullable(json, "leafUuid", leaf);
  json.end_object();
  return line;
}

std::string withheld_line(const LineHead& head, platform::WallTime time,
                          std::span<const std::string> call_ids, std::string_view instead) {
  std::string line;
  JsonWriter json(line);
  begin_own_line(json, head, time, "gemini-withheld");
  json.key("toolUseIds").begin_array();
  for (const std::string& id : call_ids) json.string(id);
  json.end_array().field("content", instead).end_object();
  return line;
}

std::string withheld_media_line(const LineHead& head, platform::WallTime time,
                                const std::string& after, std::string_view why) {
  std::string line;
  JsonWriter json(line);
  begin_own_line(json, head, time, "gemini-withheld");
  json.field("media", true);
  nullable(json, "afterUuid", after);
  json.field("content", why).end_object();
  return line;
}

std::string state_line(const LineHead& head, platform::WallTime time,
                       const core::WorkState& state) {
  std::string line;
  JsonWriter json(line);
  begin_own_line(json, head, time, "gemini-state");
  json.key("files").begin_object();
  for (const auto& [path, hash] : state.files) {
    std::array<char, 24> digits{};
    std::snprintf(digits.data(), digits.size(), "%016llx", static_cast<unsigned long long>(hash));
    json.field(path, digits.data());
  }
  json.end_object();
  if (!state.shell_cwd.empty()) json.field("shellCwd", state.shell_cwd);
  protocol::write_todos(json.key("todos"), state.todos);
  if (!state.running.empty()) {
    json.key("running").begin_array();
    for (const core::RunningCommand& command : state.running) {
      json.begin_object().field("id", command.id).field("title", command.title);
      json.field("outputFile", command.output_file).end_object();
    }
    json.end_array();
  }
  json.end_object();
  return line;
}

std::string title_line(const LineHead& head, std::string_view title) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("type", "custom-title").field("customTitle", title);
  json.field("sessionId", head.session_id).end_object();
  return line;
}

}  // namespace yume::transcript
