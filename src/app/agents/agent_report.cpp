// SPDX-License-Identifier: MIT
#include "app/agents/agent_report.h"

#include "gemini/model_catalog.h"
#include "util/json_io.h"
#include "util/path_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace yume::app {
namespace {

constexpr std::array<std::string_view, 7> k_config_keys = {
    "model",         "sandbox",     "approval_mode", "include_directories",
    "allowed_tools", "working_dir", "timeout"};
constexpr int k_response_timeout = 600;

// "gemini-3.5-flash-lite" as people write it: "Gemini 3.5 Flash Lite".
std::string shown_name(std::string id) {
  bool begins = true;
  for (char& c : id) {
    if (begins && c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    begins = c == '-';
    if (begins) c = ' ';
  }
  return id;
}

// What a workflow engine asks of a provider.
void write_provider(JsonWriter& json) {
  json.key("provider").begin_object().field("name", "gemini-cli");
  json.field("description", "Google's Gemini models as a coding agent on the command line");
  json.field("requires_config", false).key("config_keys").begin_array();
  for (const std::string_view key : k_config_keys) json.string(key);
  json.end_array().field("default_response_timeout", k_response_timeout);
  json.field("fs_ability", "local-write").end_object();
}

void write_fields(JsonWriter& json, const AgentReport& report) {
  const Agent& agent = *report.agent;
  const std::string path = to_utf8(report.found.path);
  json.field("name", agent.name).field("installed", !path.empty());
  json.key("path");
  if (path.empty()) {
    json.null();
  } else {
    json.string(path).field("cliPath", path);
  }
  json.key("version");
  if (report.found.version.empty()) {
    json.null();
  } else {
    json.string(report.found.version);
  }
  json.field("supportsSlashCommands", agent.slash_commands).field("supportsModels", true);
  json.key("models").begin_array();
  for (const AgentModel& model : report.models) {
    json.begin_object().field("id", model.id).field("name", model.name).end_object();
  }
  json.end_array().field("supportsWebSearch", agent.web_search);
  json.field("supportsThinking", agent.thinking);
  if (agent.name == "gemini") write_provider(json);
}

void write_list(JsonWriter& json, const std::vector<AgentReport>& reports) {
  json.key("agents").begin_array();
  for (const AgentReport& report : reports) {
    json.begin_object();
    write_fields(json, report);
    json.end_object();
  }
  json.end_array();
}

std::string place_text(const AgentReport& report) {
  return report.found.path.empty() ? "not installed" : to_utf8(report.found.path);
}

}  // namespace

std::vector<AgentModel> models_of(const Agent& agent) {
  std::vector<AgentModel> models;
  const gemini::ModelCatalog& catalog = gemini::ModelCatalog::built_in();
  switch (agent.models) {
    case AgentModels::gemini:
      for (std::string& id : catalog.ids()) {
        if (catalog.info(id).status == gemini::ModelStatus::shut_down) continue;
        models.push_back({.id = id, .name = shown_name(id)});
      }
      break;
    case AgentModels::claude:
      models = {{.id = "opus", .name = "Claude Opus"},
                {.id = "sonnet", .name = "Claude Sonnet"},
                {.id = "haiku", .name = "Claude Haiku"}};
      break;
    case AgentModels::none_known:
      break;
  }
  return models;
}

std::string agent_json(const AgentReport& report) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_fields(json, report);
  json.end_object();
  return text;
}

std::string agents_json(const std::vector<AgentReport>& reports) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_list(json, reports);
  json.end_object();
  return text;
}

std::string capabilities_json(const std::vector<AgentReport>& reports) {
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  for (const AgentReport& report : reports) {
    if (report.agent->name == "gemini") write_fields(json, report);
  }
  write_list(json, reports);
  json.end_object();
  return text;
}

std::string detect_text(const std::vector<AgentReport>& reports) {
  std::string text;
  for (const AgentReport& report : reports) {
    text +=
        fmt::format("{:<8}  {:<10}  {}\n", report.agent->name,
                    report.found.version.empty() ? "-" : report.found.version, place_text(report));
  }
  return text;
}

std::string capabilities_text(const std::vector<AgentReport>& reports) {
  const auto yes_no = [](bool holds) { return holds ? "yes" : "no"; };
  std::string text = fmt::format("{:<8}  {:<6}  {:<6}  {:<8}  {:<6}  {}\n", "AGENT", "SLASH", "WEB",
                                 "THINKING", "MODELS", "PROGRAM");
  for (const AgentReport& report : reports) {
    text += fmt::format("{:<8}  {:<6}  {:<6}  {:<8}  {:<6}  {}\n", report.agent->name,
                        yes_no(report.agent->slash_commands), yes_no(report.agent->web_search),
                        yes_no(report.agent->thinking), report.models.size(), place_text(report));
  }
  return text;
}

}  // namespace yume::app
