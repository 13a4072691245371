// SPDX-License-Identifier: MIT
#include "protocol/acp/inbound.h"

#include "core/permission.h"
#include "jsonrpc/codec.h"
#include "protocol/acp/config_options.h"
#include "protocol/acp/prompt.h"
#include "protocol/acp/ticket.h"
#include "protocol/acp/words.h"
#include "protocol/line_outline.h"
#include "util/byte_size.h"
#include "util/json_members.h"
#include "util/json_tree.h"
#include "util/overloaded.h"
#include "util/path_text.h"
#include "util/uuid.h"

#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace yume::protocol {
namespace {

using nlohmann::json;

// What a request means, or why its parameters are wrong.
using Read = Result<core::Command>;

Error wrong(std::string why) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(why)};
}

Result<std::string> text_of(const json& params, const char* key) {
  const auto found = params.find(key);
  if (found == params.end() || !found->is_string()) {
    return wrong("\"" + std::string(key) + "\" must be a string");
  }
  return found->get<std::string>();
}

bool is_set(const json& params, const char* group, const char* key) {
  const auto found = params.find(group);
  if (found == params.end() || !found->is_object()) return false;
  const auto value = found->find(key);
  return value != found->end() && (value->is_boolean() ? value->get<bool>() : value->is_object());
}

bool is_true(const json& object, const char* key) {
  const auto value = object.find(key);
  return value != object.end() && value->is_boolean() && value->get<bool>();
}

Read read_initialize(const json& params) {
  const auto version = params.find("protocolVersion");
  if (version == params.end() || !version->is_number_integer()) {
    return wrong(R"("protocolVersion" must be an integer)");
  }
  const auto given = params.find("clientCapabilities");
  const json able = given != params.end() && given->is_object() ? *given : json::object();
  return core::Command(
      core::Greet{.abilities = {.reads_files = is_set(able, "fs", "readTextFile"),
                                .writes_files = is_set(able, "fs", "writeTextFile"),
                                .shows_terminals = is_true(able, "terminal")},
                  .takes_notices = is_set(able, "session", "notices")});
}

Read read_authenticate(const json& params) {
  YUME_TRY(std::string method, text_of(params, "methodId"));
  if (method != acp::k_api_key_method && method != acp::k_google_method) {
    return wrong("the method '" + method + "' was not offered");
  }
  core::Authenticate wanted{.method = std::move(method)};
  const auto meta = params.find("_meta");
  if (meta != params.end() && meta->is_object()) wanted.api_key = text_at(*meta, "api-key");
  return core::Command(std::move(wanted));
}

using Pairs = std::vector<std::pair<std::string, std::string>>;

// [{"name":"A","value":"b"}]
Pairs read_pairs(const json& server, const char* key) {
  Pairs pairs;
  const auto found = server.find(key);
  if (found == server.end() || !found->is_array()) return pairs;
  for (const json& pair : *found) {
    if (pair.is_object()) pairs.emplace_back(text_at(pair, "name"), text_at(pair, "value"));
  }
  return pairs;
}

std::vector<std::string> read_texts(const json& object, const char* key) {
  std::vector<std::string> texts;
  const auto found = object.find(key);
  if (found == object.end() || !found->is_array()) return texts;
  for (const json& text : *found) {
    if (text.is_string()) texts.push_back(text.get<std::string>());
  }
  return texts;
}

Result<core::McpServerConfig> read_server(const json& server) {
  if (!server.is_object()) return wrong("an MCP server must be an object");
  YUME_TRY(std::string name, text_of(server, "name"));
  const std::string type = text_at(server, "type");
  if (type == "http" || type == "sse") {
    YUME_TRY(std::string url, text_of(server, "url"));
    using Form = core::McpRemote::Form;
    return core::McpServerConfig{
        .name = std::move(name),
        .how = core::McpRemote{.form = type == "sse" ? Form::sse : Form::streamable,
                               .url = std::move(url),
                               .headers = read_pairs(server, "headers")}};
  }
  if (!type.empty() && type != "stdio") {
    return wrong("the MCP server " + name + " is of type '" + type + "', which is not known here");
  }
  YUME_TRY(std::string command, text_of(server, "command"));
  return core::McpServerConfig{.name = std::move(name),
                               .how = core::McpProgram{.command = std::move(command),
                                                       .args = read_texts(server, "args"),
                                                       .env = read_pairs(server, "env")}};
}

// Where a session works, and with which servers.
Result<core::OpenSession> read_open(const json& params, core::OpenSession::Past past) {
  core::OpenSession wanted{.past = past, .cwd = {}};
  if (past != core::OpenSession::Past::none) {
    YUME_TRY(wanted.id, text_of(params, "sessionId"));
  }
  YUME_TRY(wanted.cwd, text_of(params, "cwd"));
  if (!path_from_utf8(wanted.cwd).is_absolute()) return wrong(R"("cwd" must be an absolute path)");
  wanted.more_directories = read_texts(params, "additionalDirectories");
  const auto servers = params.find("mcpServers");
  if (servers == params.end() || servers->is_null()) return wanted;
  if (!servers->is_array()) return wrong(R"("mcpServers" must be an array)");
  for (const json& server : *servers) {
    YUME_TRY(core::McpServerConfig one, read_server(server));
    wanted.servers.push_back(std::move(one));
  }
  return wanted;
}

Read read_new(const json& params) {
  YUME_TRY(auto wanted, read_open(params, core::OpenSession::Past::none));
  return core::Command(std::move(wanted));
}

Read read_load(const json& params) {
  YUME_TRY(auto wanted, read_open(params, core::OpenSession::Past::replayed));
  return core::Command(std::move(wanted));
}

Read read_resume(const json& params) {
  YUME_TRY(auto wanted, read_open(params, core::OpenSession::Past::silent));
  return core::Command(std::move(wanted));
}

Read read_list(const json& params) {
  return core::Command(
      core::ListSessions{.cwd = text_at(params, "cwd"), .cursor = text_at(params, "cursor")});
}

Read read_delete(const json& params) {
  YUME_TRY(std::string id, text_of(params, "sessionId"));
  return core::Command(core::DeleteSession{.id = std::move(id)});
}

Read read_close(const json& /*params*/) {
  return core::Command(core::CloseSession{});
}

Read read_prompt(const json& params) {
  const auto blocks = params.find("prompt");
  if (blocks == params.end() || !blocks->is_array()) return wrong(R"("prompt" must be an array)");
  // A turn of its own: each prompt has its own answer.
  return core::Command(core::Prompt{.message = read_acp_prompt(*blocks),
                                    .uuid = make_uuid(),
                                    .urgency = core::Prompt::Urgency::later});
}

Read read_mode(const std::string& name) {
  if (const auto mode = acp_mode_from(name)) return core::Command(core::SetMode{*mode});
  return wrong("there is no mode '" + name + "'");
}

Read read_set_mode(const json& params) {
  YUME_TRY(const std::string name, text_of(params, "modeId"));
  return read_mode(name);
}

Read read_set_model(const json& params) {
  YUME_TRY(std::string name, text_of(params, "modelId"));
  return core::Command(core::SetModel{std::move(name)});
}

Read read_set_option(const json& params) {
  YUME_TRY(const std::string option, text_of(params, "configId"));
  YUME_TRY(std::string value, text_of(params, "value"));
  if (option == acp::k_mode_option) return read_mode(value);
  if (option == acp::k_model_option) return core::Command(core::SetModel{std::move(value)});
  if (option == acp::k_thinking_option) {
    const auto tokens = acp_thinking_from(value);
    if (!tokens) return wrong("there is no way to think named '" + value + "'");
    return core::Command(core::SetThinking{tokens->most});
  }
  return wrong("there is no option '" + option + "'");
}

enum class Needs { nothing, session };

struct Method {
  std::string_view name;
  Needs needs;
  Read (*read)(const json& params);
};

constexpr std::array k_methods{
    Method{"initialize", Needs::nothing, read_initialize},
    Method{"authenticate", Needs::nothing, read_authenticate},
    Method{"session/new", Needs::nothing, read_new},
    Method{"session/load", Needs::nothing, read_load},
    Method{"session/resume", Needs::nothing, read_resume},
    Method{"session/list", Needs::nothing, read_list},
    Method{"session/delete", Needs::nothing, read_delete},
    Method{"session/close", Needs::session, read_close},
    Method{"session/prompt", Needs::session, read_prompt},
    Method{"session/set_mode", Needs::session, read_set_mode},
    Method{"session/set_model", Needs::session, read_set_model},
    Method{"session/set_config_option", Needs::session, read_set_option},
};

HostMessage refusal(const AcpTicket& ticket, std::string why, std::string code) {
  return {.content = core::Command(core::Refused{std::move(why), std::move(code)}),
          .reply_to = encode(ticket)};
}

HostMessage read_request(const jsonrpc::Request& request) {
  AcpTicket ticket{.id = request.id, .method = request.method};
  const Method* method = nullptr;
  for (const Method& one : k_methods) {
    if (one.name == request.method) method = &one;
  }
  if (method == nullptr) {
    return {.content = core::Command(core::Unsupported{request.method}),
            .reply_to = encode(ticket)};
  }
  const json params = request.params.text.empty() ? json::object() : read_json(request.params.text);
  if (!params.is_object())
    return refusal(ticket, R"("params" must be an object)", "invalid_params");
  ticket.session_id = text_at(params, "sessionId");
  ticket.option = text_at(params, "configId");
  ticket.value = text_at(params, "value");
  if (method->needs == Needs::session && ticket.session_id.empty()) {
    return refusal(ticket, R"("sessionId" must be a string)", "invalid_params");
  }
  auto command = method->read(params);
  if (!command.ok()) return refusal(ticket, command.error().message, "invalid_params");
  return {.content = std::move(command).value(),
          .reply_to = encode(ticket),
          .session_id = method->needs == Needs::session ? ticket.session_id : std::string()};
}

HostMessage ignored() {
  return {.content = core::Command(core::Ignored{})};
}

HostMessage read_notification(const jsonrpc::Notification& said) {
  if (said.method != "session/cancel") return ignored();
  const json params = read_json(said.params.text);
  const std::string session = params.is_object() ? text_at(params, "sessionId") : std::string();
  if (session.empty()) return ignored();
  return {.content = core::Command(core::Interrupt{.cancel_queued = true}), .session_id = session};
}

HostMessage read_response(const jsonrpc::Response& response) {
  RawAnswer answer{.request_id = json_text(response.id.json).value_or(response.id.json),
                   .response = std::nullopt};
  std::visit(Overloaded{
                 [&](const RawJson& result) { answer.response = result; },
                 [&](const jsonrpc::ErrorObject& error) { answer.error = error.message; },
             },
             response.reply);
  return {.content = std::move(answer)};
}

HostMessage read_malformed(const jsonrpc::Malformed& malformed) {
  const auto* error = std::get_if<jsonrpc::ErrorObject>(&malformed.answer.reply);
  const bool unreadable = error != nullptr && error->code == jsonrpc::k_parse_error;
  return refusal({.id = malformed.answer.id}, error == nullptr ? "" : error->message,
                 unreadable ? "parse_error" : "invalid_message");
}

bool is_blank(std::string_view line) {
  return line.find_first_not_of(" \t\r") == std::string_view::npos;
}

}  // namespace

HostMessage parse_acp_line(std::string_view line) {
  if (is_blank(line)) return ignored();
  return std::visit(
      Overloaded{
          [](const jsonrpc::Request& request) { return read_request(request); },
          [](const jsonrpc::Notification& said) { return read_notification(said); },
          [](const jsonrpc::Response& response) { return read_response(response); },
          [](const jsonrpc::Malformed& malformed) { return read_malformed(malformed); },
      },
      jsonrpc::decode(line));
}

HostMessage refuse_acp_line(const LongLine& line, std::size_t limit) {
  const std::string why = "the message has more than " + byte_size_text(limit) +
                          "; raise the limit with --max-message-size";
  const std::string id(line.outline.value(k_line_id));
  const std::string method(line.outline.text(k_line_method));
  if (!method.empty() && id.empty()) return ignored();
  if (!method.empty()) return refusal({.id = {id}, .method = method}, why, "invalid_message");
  const std::string asked = json_text(id).value_or(id);
  if (!asked.empty())
    return {.content = RawAnswer{.request_id = asked, .response = {}, .error = why}};
  return refusal({}, why, "invalid_message");
}

}  // namespace yume::protocol
