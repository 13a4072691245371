// SPDX-License-Identifier: MIT
#include "protocol/acp/replies.h"

#include "protocol/acp/words.h"
#include "util/json_tree.h"

#include <array>
#include <utility>

namespace yume::protocol {
namespace {

struct ErrorName {
  std::string_view code;
  std::int64_t number;
};

constexpr std::array k_errors{
    ErrorName{"parse_error", jsonrpc::k_parse_error},
    ErrorName{"invalid_message", jsonrpc::k_invalid_request},
    ErrorName{"invalid_params", jsonrpc::k_invalid_params},
    ErrorName{"invalid_request", jsonrpc::k_invalid_params},
    ErrorName{"invalid_model", jsonrpc::k_invalid_params},
    ErrorName{"bypass_not_launched", jsonrpc::k_invalid_params},
    ErrorName{"not_found", acp::k_not_found},
    ErrorName{"session_not_found", acp::k_not_found},
    ErrorName{"authentication", acp::k_authentication_required},
};

void write_auth_method(JsonWriter& json, std::string_view id, std::string_view name,
                       std::string_view description) {
  json.begin_object().field("id", id).field("name", name);
  json.field("description", description).end_object();
}

void write_empty(JsonWriter& json, std::string_view key) {
  json.key(key).begin_object().end_object();
}

void write_capabilities(JsonWriter& json) {
  json.key("agentCapabilities").begin_object().field("loadSession", true);
  json.key("promptCapabilities").begin_object().field("image", true).field("audio", false);
  json.field("embeddedContext", true).end_object();
  json.key("mcpCapabilities").begin_object().field("http", true).field("sse", true).end_object();
  json.key("sessionCapabilities").begin_object();
  for (const char* one : {"list", "resume", "close", "delete", "additionalDirectories"}) {
    write_empty(json, one);
  }
  json.end_object().end_object();
}

JsonWriter& begin_request(JsonWriter& json, std::string_view request_id, std::string_view method) {
  json.begin_object().field("jsonrpc", "2.0").field("id", request_id).field("method", method);
  return json.key("params").begin_object();
}

}  // namespace

RawJson acp_initialized(std::string_view version) {
  RawJson result;
  JsonWriter json(result.text);
  json.begin_object().field("protocolVersion", acp::k_protocol_version);
  write_capabilities(json);
  json.key("authMethods").begin_array();
  write_auth_method(json, acp::k_api_key_method, "Gemini API key",
                    "Set GEMINI_API_KEY to a key of Google AI Studio");
  write_auth_method(json, acp::k_google_method, "Google Cloud login",
                    "Run `gcloud auth login`, or name credentials by "
                    "GOOGLE_APPLICATION_CREDENTIALS");
  json.end_array().key("agentInfo").begin_object().field("name", "yume-cli");
  json.field("title", "yume-cli (Gemini)").field("version", version).end_object();
  json.end_object();
  return result;
}

RawJson acp_session_opened(const std::string& session_id, const AcpChoices& choices) {
  RawJson result;
  JsonWriter json(result.text);
  json.begin_object().field("sessionId", session_id).key("modes");
  write_modes(json, choices);
  json.key("models");  // of earlier revisions of the protocol
  write_models(json, choices);
  json.key("configOptions");
  write_config_options(json, choices);
  json.end_object();
  return result;
}

RawJson acp_sessions_listed(const SessionsListed& listed) {
  RawJson result;
  JsonWriter json(result.text);
  json.begin_object().key("sessions").begin_array();
  for (const core::SessionEntry& entry : listed.sessions) {
    json.begin_object().field("sessionId", entry.id).field("cwd", entry.cwd);
    if (!entry.title.empty()) json.field("title", entry.title);
    if (!entry.updated.empty()) json.field("updatedAt", entry.updated);
    json.end_object();
  }
  json.end_array();
  if (!listed.next_cursor.empty()) json.field("nextCursor", listed.next_cursor);
  json.end_object();
  return result;
}

jsonrpc::ErrorObject acp_error(const RequestRefused& refused, const std::string& session_id) {
  jsonrpc::ErrorObject error{.message = refused.why};
  for (const ErrorName& name : k_errors) {
    if (name.code == refused.code) error.code = name.number;
  }
  if (error.code == acp::k_not_found && !session_id.empty()) {
    JsonWriter(error.data.text).begin_object().field("sessionId", session_id).end_object();
  }
  return error;
}

std::string acp_read_file(std::string_view request_id, const std::string& session_id,
                          const core::ReadHostFile& file) {
  std::string line;
  JsonWriter json(line);
  begin_request(json, request_id, "fs/read_text_file").field("sessionId", session_id);
  json.field("path", file.path).end_object().end_object();
  return line;
}

std::string acp_write_file(std::string_view request_id, const std::string& session_id,
                           const core::WriteHostFile& file) {
  std::string line;
  JsonWriter json(line);
  begin_request(json, request_id, "fs/write_text_file").field("sessionId", session_id);
  json.field("path", file.path).field("content", file.content).end_object().end_object();
  return line;
}

std::string acp_cancel_request(std::string_view request_id) {
  std::string line;
  JsonWriter json(line);
  json.begin_object().field("jsonrpc", "2.0").field("method", "$/cancel_request");
  json.key("params").begin_object().field("requestId", request_id).end_object().end_object();
  return line;
}

core::HostAnswer acp_file_text(const RawJson& result) {
  const nlohmann::json answer = read_json(result.text);
  const auto content = answer.is_object() ? answer.find("content") : answer.end();
  if (!answer.is_object() || content == answer.end() || !content->is_string()) {
    return core::HostFailed{"the answer has no content"};
  }
  return core::HostFileText{content->get<std::string>()};
}

}  // namespace yume::protocol
