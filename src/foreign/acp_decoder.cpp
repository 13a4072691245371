// SPDX-License-Identifier: MIT
#include "foreign/acp_decoder.h"

#include "core/gemini_cli_tools.h"
#include "foreign/acp_reply.h"
#include "jsonrpc/codec.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

#include <array>
#include <utility>

namespace yume::foreign {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view k_gemini = "gemini-cli";
// gemini says a change of its mode in the midst of its reply.
constexpr std::string_view k_update = "session/update";
constexpr std::string_view k_mode_mark = "[MODE_UPDATE] ";

struct ModeName {
  std::string_view id;
  core::PermissionMode mode;
};
constexpr std::array k_modes = {
    ModeName{"autoEdit", core::PermissionMode::accept_edits},
    ModeName{"auto_edit", core::PermissionMode::accept_edits},
    ModeName{"yolo", core::PermissionMode::bypass},
};

const Json& member(const Json& object, const char* key) {
  static const Json k_none;
  if (!object.is_object()) return k_none;
  const auto found = object.find(key);
  return found == object.end() ? k_none : *found;
}

std::string text_in(const Json& object, const char* key) {
  return object.is_object() ? text_at(object, key) : std::string();
}

Json parsed(const RawJson& json) {
  return json.text.empty() ? Json() : read_ordered_json(json.text);
}

std::int64_t count_in(const Json& object, const char* key) {
  constexpr std::int64_t k_most = 0xFFFF'FFFF;
  const Json& value = member(object, key);
  return value.is_number_integer() ? std::clamp<std::int64_t>(value.get<std::int64_t>(), 0, k_most)
                                   : 0;
}

// The current value of the option of that category.
std::string option_in(const Json& options, std::string_view category) {
  if (!options.is_array()) return "";
  for (const Json& option : options) {
    if (text_in(option, "category") == category || text_in(option, "id") == category) {
      return text_in(option, "currentValue");
    }
  }
  return "";
}

std::string model_in(const Json& session) {
  std::string model = text_in(member(session, "models"), "currentModelId");
  return model.empty() ? option_in(member(session, "configOptions"), "model") : model;
}

std::string mode_in(const Json& session) {
  std::string mode = text_in(member(session, "modes"), "currentModeId");
  return mode.empty() ? option_in(member(session, "configOptions"), "mode") : mode;
}

core::UserMessage message_of(const Json& prompt) {
  core::UserMessage message;
  if (!prompt.is_array()) return message;
  for (const Json& block : prompt) {
    if (text_in(block, "type") == "image" && !text_in(block, "data").empty()) {
      message.blocks.emplace_back(
          core::Media{.mime_type = text_in(block, "mimeType"), .base64 = text_in(block, "data")});
    } else {
      message.blocks.emplace_back(block_text(block));
    }
  }
  return message;
}

// Old agents nest what an update says of a call.
const Json& call_in(const Json& update) {
  const Json& nested = member(update, "toolCall");
  return nested.is_object() ? nested : update;
}

std::string call_id_in(const Json& call) {
  std::string id = text_in(call, "toolCallId");
  return id.empty() ? text_in(call, "id") : id;
}

// Whether an answer to session/request_permission is a yes, by the kinds of its options.
bool is_yes(const Json& request, const Json& result) {
  const Json& outcome = member(result, "outcome");
  if (text_in(outcome, "outcome") != "selected") return false;
  const std::string chosen = text_in(outcome, "optionId");
  const Json& options = member(request, "options");
  if (!options.is_array()) return false;
  for (const Json& option : options) {
    if (text_in(option, "optionId") == chosen) {
      return text_in(option, "kind").starts_with("allow");
    }
  }
  return false;
}

Json todo_input(const Json& entries) {
  Json todos = Json::array();
  if (entries.is_array()) {
    for (const Json& entry : entries) {
      std::string content = text_in(entry, "content");
      if (content.empty()) content = text_in(entry, "text");
      const std::string status = text_in(entry, "status");
      todos.push_back(
          Json{{"content", content}, {"status", status.empty() ? std::string("pending") : status}});
    }
  }
  core::translate_todos(todos);
  return Json{{"todos", std::move(todos)}};
}

}  // namespace

std::optional<core::PermissionMode> acp_mode(std::string_view id) {
  for (const ModeName& one : k_modes) {
    if (one.id == id) return one.mode;
  }
  return core::permission_mode_from(id);
}

AcpDecoder::AcpDecoder(DecoderOptions options)
    : words_(options.words), flow_(std::move(options)), terminal_([this](const std::string& id) {
        const auto printed = printed_.find(id);
        return printed == printed_.end() ? std::string() : printed->second;
      }) {}

AcpDecoder::~AcpDecoder() = default;

std::optional<BadLine> AcpDecoder::feed(std::string_view line, const Emit& emit) {
  if (line.find_first_not_of(" \t\r\n") == std::string_view::npos) return std::nullopt;
  if (feed_update(line, emit)) return std::nullopt;
  const jsonrpc::Incoming incoming = jsonrpc::decode(line);
  return std::visit(
      Overloaded{
          [&](const jsonrpc::Request& request) -> std::optional<BadLine> {
            on_request(request, emit);
            return std::nullopt;
          },
          [&](const jsonrpc::Notification& notification) -> std::optional<BadLine> {
            on_notification(notification, emit);
            return std::nullopt;
          },
          [&](const jsonrpc::Response& response) -> std::optional<BadLine> {
            on_response(response, emit);
            return std::nullopt;
          },
          [&](const jsonrpc::Malformed&) -> std::optional<BadLine> { return bad_line(line); },
      },
      incoming);
}

// Nearly all lines are such ones: read once, not as a message first and then as what it says.
bool AcpDecoder::feed_update(std::string_view line, const Emit& emit) {
  if (line.find(k_update) == std::string_view::npos) return false;
  const Json message = read_ordered_json(line);
  const bool is_update = text_in(message, "method") == k_update &&
                         text_in(message, "jsonrpc") == "2.0" && !message.contains("id");
  const Json& params = member(message, "params");
  if (!is_update || !params.is_object()) return false;
  on_update(params, emit);
  return true;
}

void AcpDecoder::on_request(const jsonrpc::Request& request, const Emit& emit) {
  if (request.method == "session/request_permission") {
    on_permission(request.params, emit);
    of_agent_.insert_or_assign(request.id.json, request);
  } else if (request.method.starts_with("fs/") || request.method.starts_with("terminal/") ||
             request.method.starts_with("elicitation/")) {
    of_agent_.insert_or_assign(request.id.json, request);
  } else {
    if (request.method == "session/prompt") on_prompt(request.params, emit);
    of_client_.insert_or_assign(request.id.json, request);
  }
}

void AcpDecoder::on_notification(const jsonrpc::Notification& notification, const Emit& emit) {
  if (notification.method == k_update) on_update(notification.params, emit);
}

// Both sides number their requests by themselves: what the answer is like says whose it is. Where
// only the agent's messages were recorded, that is all there is.
void AcpDecoder::on_response(const jsonrpc::Response& response, const Emit& emit) {
  const auto* result = std::get_if<RawJson>(&response.reply);
  const Json value = result != nullptr ? parsed(*result) : Json();
  if (on_terminal_output(response.id, value)) return;
  if (member(value, "outcome").is_object() ||
      (result != nullptr && !of_client_.contains(response.id.json) &&
       of_agent_.contains(response.id.json))) {
    const auto asked = of_agent_.extract(response.id.json);
    if (!asked.empty()) on_permission_reply(asked.mapped(), response.reply, emit);
    return;
  }
  const auto asked = of_client_.extract(response.id.json);
  const std::string method = asked.empty() ? "" : asked.mapped().method;
  if (method == "session/prompt" || (method.empty() && value.contains("stopReason"))) {
    on_prompt_reply(response.reply, emit);
  } else if (result == nullptr) {
    if (method.empty() && flow_.is_open()) on_prompt_reply(response.reply, emit);
  } else if (value.contains("protocolVersion")) {
    on_initialized(*result);
  } else if (method == "session/new" || method == "session/load" || method == "session/resume" ||
             (method.empty() && value.contains("sessionId"))) {
    on_session(asked.empty() ? RawJson{} : asked.mapped().params, *result, emit);
  }
}

bool AcpDecoder::on_terminal_output(const jsonrpc::Id& id, const Json& value) {
  const auto asked = of_agent_.find(id.json);
  if (asked == of_agent_.end() || asked->second.method != "terminal/output") return false;
  if (!member(value, "output").is_string()) return false;
  printed_[text_in(parsed(asked->second.params), "terminalId")] = text_in(value, "output");
  of_agent_.erase(asked);
  return true;
}

void AcpDecoder::on_initialized(const RawJson& result) {
  agent_ = text_in(member(parsed(result), "agentInfo"), "name");
}

void AcpDecoder::on_session(const RawJson& params, const RawJson& result, const Emit& emit) {
  const Json asked = parsed(params);
  const Json session = parsed(result);
  flush_prompt(emit);
  // What was replayed before is no turn of its own.
  flow_.settle(emit);
  calls_.clear();
  std::string id = text_in(session, "sessionId");
  if (id.empty()) id = text_in(asked, "sessionId");
  flow_.set_model(model_in(session));
  emit(core::SessionStarted{
      .session_id = std::move(id),
      .model = flow_.model(),
      .cwd = text_in(asked, "cwd"),
      .mode = acp_mode(mode_in(session)).value_or(core::PermissionMode::default_mode),
      .tools = {},
      .credential_source = {}});
}

void AcpDecoder::on_prompt(const RawJson& params, const Emit& emit) {
  flush_prompt(emit);
  flow_.settle(emit);
  flow_.begin();
  asked_ = true;
  emit(core::PromptTaken{.uuid = {}, .message = message_of(member(parsed(params), "prompt"))});
}

void AcpDecoder::flush_prompt(const Emit& emit) {
  if (heard_prompt_.empty()) return;
  flow_.settle(emit);
  flow_.begin();
  emit(core::PromptTaken{.uuid = {},
                         .message = core::UserMessage(std::exchange(heard_prompt_, {}))});
}

void AcpDecoder::on_update(const RawJson& params, const Emit& emit) {
  on_update(parsed(params), emit);
}

void AcpDecoder::on_update(const Json& all, const Emit& emit) {
  const Json& nested = member(all, "update");
  const Json& update = nested.is_object() ? nested : all;
  const std::string kind = text_in(update, "sessionUpdate");
  if (kind != "user_message_chunk") flush_prompt(emit);
  if (on_chunk(kind, update, emit)) return;
  if (kind == "tool_call" || kind == "tool_call_update") {
    on_call(call_in(update), emit);
  } else if (kind == "plan") {
    on_plan(update, emit);
  } else if (kind == "current_mode_update") {
    if (const auto mode = acp_mode(text_in(update, "currentModeId"))) {
      emit(core::ModeChanged{*mode});
    }
  } else if (kind == "config_option_update") {
    on_config(update, emit);
  } else if (kind == "usage_update") {
    context_ = {.prompt_tokens = count_in(update, "used")};
  } else if (kind == "notice") {
    const std::string more = text_in(update, "description");
    emit(core::Notice{text_in(update, "title") + (more.empty() ? "" : ": " + more)});
  }
}

bool AcpDecoder::on_chunk(const std::string& kind, const Json& update, const Emit& emit) {
  const bool is_text = kind == "agent_message_chunk";
  const bool is_thought = kind == "agent_thought_chunk";
  const bool is_prompt = kind == "user_message_chunk";
  if (!is_text && !is_thought && !is_prompt) return false;
  const std::string text = block_text(member(update, "content"));
  const std::string id = text_in(update, "messageId");
  if (is_prompt) {
    // Some agents repeat what they were asked.
    if (!asked_) heard_prompt_ += text;
  } else if (is_thought) {
    // gemini's are whole, one after the other.
    const bool apart = flow_.in_thought() && agent_ == k_gemini;
    flow_.thought((apart ? "\n\n" : "") + text, id, emit);
  } else if (text.starts_with(k_mode_mark)) {
    if (const auto mode = acp_mode(text.substr(k_mode_mark.size()))) {
      emit(core::ModeChanged{*mode});
    }
  } else {
    flow_.text(text, id, emit);
  }
  return true;
}

void AcpDecoder::on_config(const Json& update, const Emit& emit) {
  const Json& options = member(update, "configOptions");
  const std::string model = option_in(options, "model");
  if (!model.empty() && model != flow_.model()) {
    flow_.set_model(model);
    emit(core::ModelChanged{model});
  }
}

core::ToolCall AcpDecoder::announce(AcpCall& call, const std::string& id, const Emit& emit) {
  if (!std::exchange(call.announced, true)) flow_.call(id, call.call(words_), emit);
  const core::ToolCall* open = flow_.open_call(id);
  return open != nullptr ? *open : core::ToolCall{};
}

// A call is announced when it is complete: agents name it before they know its input.
void AcpDecoder::on_call(const Json& update, const Emit& emit) {
  const std::string id = call_id_in(update);
  AcpCall& call = calls_[id];
  if (call.finished) return;
  call.merge(update);
  if (call.has_input() || call.has_begun()) announce(call, id, emit);
  if (!call.is_over()) return;
  call.finished = true;
  const core::ToolCall* open = flow_.open_call(id);
  if (open != nullptr) flow_.result(id, call.outcome(*open, terminal_), emit);
}

core::ToolCall AcpDecoder::on_permission(const RawJson& params, const Emit& emit) {
  flush_prompt(emit);
  const Json update = call_in(parsed(params));
  const std::string id = call_id_in(update);
  AcpCall& call = calls_[id];
  if (call.finished) return {};
  call.merge(update);
  return announce(call, id, emit);
}

void AcpDecoder::on_refused(const std::string& call_id, const std::string& message,
                            TurnFlow::Refused how, const Emit& emit) {
  const auto found = calls_.find(call_id);
  if (found == calls_.end() || std::exchange(found->second.finished, true)) return;
  flow_.refused(call_id, message, how, emit);
}

void AcpDecoder::on_permission_reply(const jsonrpc::Request& request, const jsonrpc::Reply& reply,
                                     const Emit& emit) {
  if (request.method != "session/request_permission") return;
  const Json asked = parsed(request.params);
  const auto* result = std::get_if<RawJson>(&reply);
  if (result != nullptr && is_yes(asked, parsed(*result))) return;
  const Json& call = member(asked, "toolCall");
  on_refused(call_id_in(call), "The call was refused", TurnFlow::Refused::by_person, emit);
}

// Shown as hosts know it: a list of tasks, which has a result at once.
void AcpDecoder::on_plan(const Json& update, const Emit& emit) {
  const Json input = todo_input(member(update, "entries"));
  const std::string text = write_json(input);
  if (text == last_plan_) return;
  last_plan_ = text;
  const std::string id = "plan-" + std::to_string(++plans_);
  flow_.call(id, {.id = {}, .name = "TodoWrite", .input = {text}}, emit);
  flow_.result(id, {.content = "The list of tasks has changed.", .details = {}}, emit);
}

void AcpDecoder::end_turn(core::TurnDone done, const Emit& emit) {
  // Named, and never begun.
  for (auto& [id, call] : calls_) {
    if (!call.announced) announce(call, id, emit);
  }
  if (done.last_request.empty()) done.last_request = context_;
  calls_.clear();
  printed_.clear();
  last_plan_.clear();
  asked_ = false;
  flow_.end(std::move(done), emit);
}

void AcpDecoder::on_prompt_reply(const jsonrpc::Reply& reply, const Emit& emit) {
  flush_prompt(emit);
  end_turn(turn_end_of(reply, flow_.model()), emit);
}

void AcpDecoder::finish(const StreamEnd& end, const Emit& emit) {
  flush_prompt(emit);
  if (!flow_.is_open() && flow_.any_ended()) return;
  core::TurnDone done = cut_off_turn(end);
  end_turn(std::move(done), emit);
}

}  // namespace yume::foreign
