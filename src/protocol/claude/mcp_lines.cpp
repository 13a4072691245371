// SPDX-License-Identifier: MIT
#include "protocol/claude/mcp_lines.h"

#include "util/json_tree.h"
#include "util/overloaded.h"

#include <utility>

namespace yume::protocol {
namespace {

using Json = nlohmann::json;

RawJson object_at(const Json& request, const char* key) {
  const auto found = request.find(key);
  return {found != request.end() && found->is_object() ? write_json(*found) : "{}"};
}

JsonWriter& begin_question(JsonWriter& json, std::string_view request_id,
                           std::string_view subtype) {
  json.begin_object().field("type", "control_request").field("request_id", request_id);
  return json.key("request").begin_object().field("subtype", subtype);
}

void write_config(JsonWriter& json, const core::McpServerConfig& config) {
  json.key("config").begin_object();
  std::visit(
      Overloaded{
          [&](const core::McpProgram& program) {
            json.field("type", "stdio").field("command", program.command);
            json.key("args").begin_array();
            for (const std::string& one : program.args) json.string(one);
            json.end_array();
          },
          [&](const core::McpRemote& remote) {
            const bool sse = remote.form == core::McpRemote::Form::sse;
            json.field("type", sse ? "sse" : "http").field("url", remote.url);
          },
          [&](const core::McpInHost&) { json.field("type", "sdk").field("name", config.name); },
      },
      config.how);
  json.end_object();
}

void write_tool(JsonWriter& json, const core::McpToolFacts& tool) {
  json.begin_object().field("name", tool.name).key("annotations").begin_object();
  if (tool.read_only) json.field("readOnly", true);
  if (tool.destructive) json.field("destructive", true);
  if (tool.open_world) json.field("openWorld", true);
  json.end_object().end_object();
}

}  // namespace

std::optional<core::Command> parse_mcp_request(std::string_view subtype, const Json* request) {
  if (request == nullptr) return std::nullopt;
  if (subtype == "mcp_status") return core::McpQueryStatus{};
  if (subtype == "mcp_set_servers") return core::McpSetServers{object_at(*request, "servers")};
  const std::string server = text_at(*request, "serverName");
  if (subtype == "mcp_call") {
    return core::McpCallTool{text_at(*request, "tool"), object_at(*request, "arguments")};
  }
  if (subtype == "mcp_read_resource") {
    return core::McpReadResource{server, text_at(*request, "uri")};
  }
  if (subtype == "mcp_reconnect") return core::McpReconnect{server};
  if (subtype == "mcp_toggle") {
    const auto enabled = request->find("enabled");
    const bool on = enabled == request->end() || !enabled->is_boolean() || enabled->get<bool>();
    return core::McpToggle{.server = server, .enabled = on};
  }
  if (subtype == "mcp_message") {
    return core::McpFromHost{.server = text_at(*request, "server_name"),
                             .message = object_at(*request, "message")};
  }
  return std::nullopt;
}

std::vector<std::string> read_server_names(const Json& initialize) {
  std::vector<std::string> names;
  const auto servers = initialize.find("sdkMcpServers");
  if (servers == initialize.end() || !servers->is_array()) return names;
  for (const Json& name : *servers) {
    if (name.is_string()) names.push_back(name.get<std::string>());
  }
  return names;
}

std::string mcp_message(std::string_view request_id, const core::McpMessage& message) {
  std::string line;
  JsonWriter json(line);
  begin_question(json, request_id, "mcp_message").field("server_name", message.server);
  json.field("message", message.message).end_object().end_object();
  return line;
}

std::string elicitation(std::string_view request_id, const core::Elicit& elicit) {
  std::string line;
  JsonWriter json(line);
  begin_question(json, request_id, "elicitation").field("mcp_server_name", elicit.server);
  json.field("message", json_prefix(elicit.message, 100'000)).field("mode", elicit.mode);
  if (!elicit.url.empty()) json.field("url", json_prefix(elicit.url, 10'000));
  if (elicit.schema.text.size() < 500'000) json.field("requested_schema", elicit.schema);
  json.end_object().end_object();
  return line;
}

core::HostAnswer read_mcp_answer(const RawAnswer& raw) {
  if (!raw.response) return core::HostFailed{raw.error};
  const Json answer = read_json(raw.response->text);
  const auto reply = answer.find("mcp_response");
  if (reply == answer.end() || !reply->is_object()) {
    return core::HostFailed{"its answer has no mcp_response"};
  }
  return core::McpAnswered{{write_json(*reply)}};
}

core::HostAnswer read_elicited(const RawAnswer& raw) {
  if (!raw.response) return core::HostFailed{raw.error};
  const Json answer = read_json(raw.response->text);
  const std::string action = text_at(answer, "action");
  if (action != "accept" && action != "decline" && action != "cancel") {
    return core::HostFailed{"its answer has no action"};
  }
  std::string result;
  JsonWriter json(result);
  json.begin_object().field("action", action);
  if (action == "accept" && answer.contains("content")) {
    json.key("content").raw(write_json(answer["content"]));
  }
  json.end_object();
  return core::Elicited{{std::move(result)}};
}

RawJson mcp_status(const std::vector<core::McpServerReport>& servers) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("mcpServers").begin_array();
  for (const core::McpServerReport& server : servers) {
    json.begin_object().field("name", server.config.name);
    json.field("status", core::to_string(server.status));
    if (!server.server_name.empty()) {
      json.key("serverInfo").begin_object().field("name", server.server_name);
      json.field("version", server.server_version).end_object();
    }
    if (!server.error.empty()) json.field("error", json_prefix(server.error, 5'000));
    write_config(json, server.config);
    json.field("scope", server.config.scope).key("tools").begin_array();
    for (const core::McpToolFacts& tool : server.tools) write_tool(json, tool);
    json.end_array().end_object();
  }
  json.end_array().end_object();
  return {std::move(text)};
}

RawJson servers_set(const core::McpServersSet& outcome) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("added").begin_array();
  for (const std::string& name : outcome.added) json.string(name);
  json.end_array().key("removed").begin_array();
  for (const std::string& name : outcome.removed) json.string(name);
  json.end_array().key("errors").begin_object();
  for (const auto& [name, why] : outcome.errors) json.field(name, json_prefix(why, 5'000));
  json.end_object().end_object();
  return {std::move(text)};
}

void write_servers(JsonWriter& json, const std::vector<core::McpServerState>& servers) {
  json.key("mcp_servers").begin_array();
  for (const core::McpServerState& server : servers) {
    json.begin_object().field("name", server.name);
    json.field("status", core::to_string(server.status)).field("source", server.scope);
    json.end_object();
  }
  json.end_array();
}

}  // namespace yume::protocol
