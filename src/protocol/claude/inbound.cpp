// SPDX-License-Identifier: MIT
#include "protocol/claude/inbound.h"

#include "protocol/claude/agent_definitions.h"
#include "protocol/claude/mcp_lines.h"
#include "protocol/claude/settings_request.h"
#include "protocol/claude/yume_frames.h"

#include "core/media_check.h"
#include "core/permission_updates.h"
#include "protocol/line_outline.h"
#include "util/byte_size.h"
#include "util/json_io.h"
#include "util/json_schema.h"
#include "util/json_tree.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

namespace yume::protocol {
namespace {

using nlohmann::json;

HostMessage command(core::Command command, std::string reply_to = {}) {
  return {.content = std::move(command), .reply_to = std::move(reply_to)};
}

const json* object_in(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_object() ? &*found : nullptr;
}

bool is_set(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_boolean() && found->get<bool>();
}

// What every Gemini model looks at; anything else would have the whole request refused.
core::UserBlock sendable_block(core::Media media, const std::string& type) {
  const bool picture = media.mime_type.starts_with("image/");
  if (!media.mime_type.empty() && !picture && media.mime_type != "application/pdf") {
    return "[" + type + " of type " + media.mime_type + ", which the model does not take]";
  }
  if (media.mime_type.empty() || media.base64.empty())
    return "[" + type + " that could not be read]";
  if (const auto fault = core::media_fault(media)) return core::withheld_text(media, *fault);
  return media;
}

// An image or document block. What the model could not be given is named, never dropped silently.
core::UserBlock media_block(const json& block, const std::string& type) {
  const json* source = object_in(block, "source");
  const std::string kind = source == nullptr ? std::string() : text_at(*source, "type");
  if (kind == "text") return text_at(*source, "data");
  if (kind == "url") return "[" + type + ": " + text_at(*source, "url") + "]";
  if (kind == "base64") {
    return sendable_block(
        {.mime_type = text_at(*source, "media_type"), .base64 = text_at(*source, "data")}, type);
  }
  if (kind == "content" && source->contains("content") && (*source)["content"].is_string()) {
    return (*source)["content"].get<std::string>();
  }
  return "[" + type + " that could not be read]";
}

// Neighbouring texts are joined by newlines, as Claude does.
core::UserMessage read_content(const json& content) {
  if (content.is_string()) return core::UserMessage(content.get<std::string>());
  core::UserMessage message;
  if (!content.is_array()) return message;
  for (const json& block : content) {
    if (!block.is_object()) continue;
    const std::string type = text_at(block, "type");
    if (type == "image" || type == "document") {
      message.blocks.push_back(media_block(block, type));
    } else if (type == "text") {
      auto* before =
          message.blocks.empty() ? nullptr : std::get_if<std::string>(&message.blocks.back());
      if (before != nullptr) {
        before->append("\n").append(text_at(block, "text"));
      } else {
        message.blocks.emplace_back(text_at(block, "text"));
      }
    }
  }
  return message;
}

core::Prompt::Urgency urgency_of(const json& line) {
  const std::string priority = text_at(line, "priority");
  if (priority == "now") return core::Prompt::Urgency::now;
  return priority == "later" ? core::Prompt::Urgency::later : core::Prompt::Urgency::next;
}

// Yume's has its content beside its type.
HostMessage parse_user(const json& line) {
  const json* message = object_in(line, "message");
  if (message == nullptr && line.contains("content")) {
    return command(
        core::Prompt{.message = read_content(line["content"]), .uuid = text_at(line, "uuid")});
  }
  std::string role = message == nullptr ? std::string() : text_at(*message, "role");
  if (role.empty()) role = "undefined";
  if (role != "user") {
    return command(core::Malformed{"Error: Expected message role 'user', got '" + role + "'"});
  }
  const auto content = message->find("content");
  const auto asks = line.find("shouldQuery");
  return command(core::Prompt{
      .message = content == message->end() ? core::UserMessage() : read_content(*content),
      .uuid = text_at(line, "uuid"),
      .wants_reply = asks == line.end() || !asks->is_boolean() || asks->get<bool>(),
      .urgency = urgency_of(line)});
}

core::HostHookGroup read_hook_group(const std::string& event, const json& group) {
  core::HostHookGroup read{.event = event, .matcher = text_at(group, "matcher")};
  if (const auto ids = group.find("hookCallbackIds"); ids != group.end() && ids->is_array()) {
    for (const json& id : *ids) {
      if (id.is_string()) read.callback_ids.push_back(id.get<std::string>());
    }
  }
  if (const auto seconds = group.find("timeout"); seconds != group.end() && seconds->is_number()) {
    constexpr double k_longest = 24 * 60 * 60;
    const double wanted = std::clamp(seconds->get<double>(), 0.0, k_longest);
    if (wanted > 0) read.timeout = std::chrono::milliseconds(std::llround(wanted * 1000));
  }
  if (text_at(group, "onFailure") == "block") read.on_failure = core::OnHookFailure::block;
  return read;
}

std::vector<core::HostHookGroup> read_hooks(const json& request) {
  std::vector<core::HostHookGroup> hooks;
  const json* events = object_in(request, "hooks");
  if (events == nullptr) return hooks;
  for (const auto& [event, groups] : events->items()) {
    if (!groups.is_array()) continue;
    for (const json& group : groups) {
      if (group.is_object()) hooks.push_back(read_hook_group(event, group));
    }
  }
  return hooks;
}

core::Initialize parse_initialize(const json& request) {
  core::Initialize initialize{.system_prompt = {}, .append_system_prompt = {}};
  if (const auto prompt = request.find("systemPrompt"); prompt != request.end()) {
    if (prompt->is_string()) initialize.system_prompt = prompt->get<std::string>();
    if (prompt->is_array()) {  // SDK 0.3 sends a list of sections
      std::string text;
      for (const json& part : *prompt) {
        if (!part.is_string()) continue;
        if (!text.empty()) text += "\n\n";
        text += part.get<std::string>();
      }
      initialize.system_prompt = std::move(text);
    }
  }
  initialize.append_system_prompt = text_at(request, "appendSystemPrompt");
  initialize.hooks = read_hooks(request);
  initialize.mcp_servers = read_server_names(request);
  return initialize;
}

// Agents and schemas that cannot be had as they are meant: nothing of the request holds.
HostMessage parse_initialize_request(const json& request, const std::string& id) {
  core::Initialize initialize = parse_initialize(request);
  if (const auto agents = request.find("agents"); agents != request.end() && !agents->is_null()) {
    auto read = read_agents(*agents, core::AgentSource::host);
    if (!read.ok()) {
      return command(core::Refused{.why = "Invalid agents: " + read.error().message + ".",
                                   .code = "invalid_agents"},
                     id);
    }
    initialize.agents = std::move(read).value();
  }
  if (const json* schema = object_in(request, "jsonSchema")) {
    initialize.output_schema = RawJson{write_json(*schema)};
    if (const auto usable = parse_output_schema(initialize.output_schema->text); !usable.ok()) {
      return command(core::Refused{.why = "jsonSchema: the schema " + usable.error().message,
                                   .code = "invalid_json_schema"},
                     id);
    }
  }
  initialize.forward_subagent_text = is_set(request, "forwardSubagentText");
  return command(std::move(initialize), id);
}

HostMessage parse_set_mode(const json& request, const std::string& id) {
  const std::string name = text_at(request, "mode");
  if (const auto mode = core::permission_mode_from(name)) return command(core::SetMode{*mode}, id);
  return command(core::Refused{.why = "Unknown permission mode '" + name +
                                      "'. There are default, acceptEdits, plan, dontAsk and "
                                      "bypassPermissions.",
                               .code = "invalid_mode"},
                 id);
}

// Null and "default" are the model that the session began with.
core::SetModel parse_set_model(const json& request) {
  std::string name = text_at(request, "model");
  return {name == "default" ? std::string() : std::move(name)};
}

HostMessage parse_set_thinking(const json& request, const std::string& id) {
  constexpr std::int64_t k_most = 10'000'000;
  const auto found = request.find("max_thinking_tokens");
  if (found == request.end() || found->is_null()) return command(core::SetThinking{}, id);
  if (found->is_number_integer() && found->get<std::int64_t>() >= 0) {
    return command(core::SetThinking{std::min(found->get<std::int64_t>(), k_most)}, id);
  }
  return command(core::Refused{.why = "max_thinking_tokens must be null or a whole number of "
                                      "tokens, 0 for as little thinking as possible.",
                               .code = "invalid_request"},
                 id);
}

std::optional<core::Query> query_named(std::string_view subtype) {
  if (subtype == "list_models") return core::Query::models;
  if (subtype == "get_context_usage") return core::Query::context;
  if (subtype == "get_settings") return core::Query::settings;
  if (subtype == "get_binary_version") return core::Query::version;
  if (subtype == "get_session_cost") return core::Query::cost;
  if (subtype == "list_permission_rules") return core::Query::rules;
  if (subtype == "get_hooks_listing") return core::Query::hooks;
  if (subtype == "get_plan") return core::Query::plan;
  return std::nullopt;
}

std::int64_t number_at(const json& object, const char* key, std::int64_t otherwise) {
  const auto found = object.find(key);
  if (found == object.end() || !found->is_number()) return otherwise;
  if (found->is_number_integer()) return found->get<std::int64_t>();
  constexpr double k_most = 9e15;  // what a double counts exactly
  return static_cast<std::int64_t>(std::clamp(found->get<double>(), -k_most, k_most));
}

// About files, tasks and waiting prompts.
std::optional<core::Command> parse_work_request(std::string_view subtype, const json& request) {
  if (subtype == "cancel_async_message") {
    return core::CancelPrompt{text_at(request, "message_uuid")};
  }
  if (subtype == "seed_read_state") {
    return core::SeedReadState{.path = text_at(request, "path"),
                               .modified_ms = number_at(request, "mtime", 0)};
  }
  if (subtype == "rename_session") {
    return core::RenameSession{.title = text_at(request, "title"),
                               .session_id = text_at(request, "session_id")};
  }
  if (subtype == "read_file") {
    core::ReadFile wanted{.path = text_at(request, "path"),
                          .base64 = text_at(request, "encoding") == "base64"};
    const std::int64_t most = number_at(request, "max_bytes", -1);
    if (most >= 0) wanted.max_bytes = static_cast<std::size_t>(most);
    return wanted;
  }
  if (subtype == "get_task_output") return core::GetTaskOutput{text_at(request, "task_id")};
  if (subtype == "apply_flag_settings") return parse_settings_request(request);
  return std::nullopt;
}

HostMessage parse_control(const json& line) {
  const std::string id = text_at(line, "request_id");
  const json* request = object_in(line, "request");
  const std::string subtype = request == nullptr ? "" : text_at(*request, "subtype");
  if (subtype == "initialize") return parse_initialize_request(*request, id);
  if (subtype == "stop_task") return command(core::StopTask{text_at(*request, "task_id")}, id);
  if (subtype == "interrupt") {
    return command(core::Interrupt{is_set(*request, "cancel_queued")}, id);
  }
  if (subtype == "set_permission_mode") return parse_set_mode(*request, id);
  if (subtype == "set_model") return command(parse_set_model(*request), id);
  if (subtype == "set_max_thinking_tokens") return parse_set_thinking(*request, id);
  if (subtype == "rewind_files") {
    return command(core::RewindFiles{.prompt_uuid = text_at(*request, "user_message_id"),
                                     .dry_run = is_set(*request, "dry_run")},
                   id);
  }
  if (subtype == "end_session") return command(core::EndSession{}, id);
  if (const auto query = query_named(subtype)) return command(*query, id);
  if (auto about_mcp = parse_mcp_request(subtype, request)) return command(*about_mcp, id);
  if (request != nullptr) {
    if (auto work = parse_work_request(subtype, *request)) return command(*std::move(work), id);
  }
  return command(core::Unsupported{subtype}, id);
}

HostMessage parse_answer(const json& line) {
  const json* response = object_in(line, "response");
  if (response == nullptr) return command(core::Ignored{});
  RawAnswer answer{.request_id = text_at(*response, "request_id"),
                   .response = std::nullopt,
                   .error = text_at(*response, "error")};
  if (text_at(*response, "subtype") != "success") return {.content = std::move(answer)};
  const auto body = response->find("response");
  const bool says_nothing = body == response->end() || body->is_null();
  if (says_nothing) {
    answer.response = RawJson{"{}"};
  } else if (body->is_object()) {
    answer.response = RawJson{write_json(*body)};
  }
  return {.content = std::move(answer)};
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

}  // namespace

std::optional<core::HostAnswer> read_permission(const RawAnswer& raw) {
  if (!raw.response) return core::HostFailed{raw.error};
  const json answer = read_json(raw.response->text);
  const std::string behavior = text_at(answer, "behavior");
  if (behavior == "allow") {
    core::HostAllows allows;
    if (const json* input = object_in(answer, "updatedInput")) allows.input = {write_json(*input)};
    allows.updates = core::read_permission_updates(answer);
    return allows;
  }
  if (behavior != "deny") return std::nullopt;
  const auto interrupt = answer.find("interrupt");
  return core::HostDenies{
      .message = text_at(answer, "message"),
      .interrupt = interrupt != answer.end() && interrupt->is_boolean() && interrupt->get<bool>()};
}

core::HostAnswer read_hook_answer(const RawAnswer& raw) {
  if (raw.response) return core::HookReturned{*raw.response};
  return core::HostFailed{raw.error};
}

core::UserMessage read_claude_content(const json& content) {
  return read_content(content);
}

HostMessage parse_claude_line(std::string_view line) {
  constexpr std::string_view k_bom = "\xEF\xBB\xBF";
  if (line.starts_with(k_bom)) line.remove_prefix(k_bom.size());
  if (is_blank(line)) return command(core::Ignored{});
  std::string repaired;  // invalid UTF-8 and lone surrogates must not cost the session
  append_ascii_json(repaired, line);
  if (!check_json(repaired).ok()) {
    return command(core::Malformed{"Error parsing streaming input line (type=unknown, " +
                                   std::to_string(line.size()) + " chars): SyntaxError"});
  }
  const json parsed = read_json(repaired);
  if (!parsed.is_object()) return command(core::Ignored{});
  const std::string type = text_at(parsed, "type");
  if (type == "user") return parse_user(parsed);
  if (type == "control_request") return parse_control(parsed);
  if (type == "control_response") return parse_answer(parsed);
  return parse_yume_frame(parsed).value_or(command(core::Ignored{}));
}

HostMessage refuse_claude_line(const LongLine& line, std::size_t limit) {
  const std::string_view type = line.outline.text(k_line_type);
  const std::string sizes = byte_size_text(line.bytes) + " (" + std::to_string(line.bytes) +
                            " bytes), and at most " + byte_size_text(limit) +
                            " are read. Send less at once, or raise the limit with "
                            "--max-message-size or maxMessageSize in settings.json.";
  if (type == "control_response") {
    const auto& outline = line.outline;
    return {.content = RawAnswer{.request_id = std::string(outline.text(k_answered_request)),
                                 .response = std::nullopt,
                                 .error = "the answer on stdin has " + sizes}};
  }
  if (type == "control_request") {
    return command(core::Refused{"The request on stdin has " + sizes},
                   std::string(line.outline.text(k_line_request)));
  }
  return command(core::Refused{"Error: the message on stdin has " + sizes});
}

}  // namespace yume::protocol
