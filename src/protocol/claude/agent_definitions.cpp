// SPDX-License-Identifier: MIT
#include "protocol/claude/agent_definitions.h"

#include "util/json_tree.h"

#include <string>
#include <utility>

namespace yume::protocol {
namespace {

using nlohmann::json;

constexpr int k_most_turns = 1'000'000;

Error wrong(const std::string& agent, const std::string& why) {
  return {.code = ErrorCode::invalid_argument, .message = "the agent '" + agent + "' " + why};
}

// A list of texts, or one text with commas; nothing of any other kind.
Result<std::vector<std::string>> entries_of(const json& value, const std::string& agent,
                                            const char* key) {
  std::vector<std::string> entries;
  if (value.is_string()) entries.push_back(value.get<std::string>());
  bool is_list = value.is_string() || value.is_array();
  if (value.is_array()) {
    for (const json& one : value) {
      is_list = is_list && one.is_string();
      if (one.is_string()) entries.push_back(one.get<std::string>());
    }
  }
  if (!is_list) return wrong(agent, std::string("has ") + key + " that are no list of names");
  return entries;
}

bool has(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && !found->is_null();
}

Result<void> read_tools(const json& fields, core::AgentDefinition& agent) {
  std::string refused;
  if (has(fields, "tools")) {
    YUME_TRY(const std::vector<std::string> entries,
             entries_of(fields["tools"], agent.name, "tools"));
    agent.tools = core::read_tool_names(entries, refused);
  }
  if (has(fields, "disallowedTools")) {
    YUME_TRY(const std::vector<std::string> entries,
             entries_of(fields["disallowedTools"], agent.name, "disallowedTools"));
    auto names = core::read_tool_names(entries, refused);
    if (!names) agent.tools = std::vector<std::string>{};  // all are disallowed
    agent.disallowed_tools = std::move(names).value_or(std::vector<std::string>{});
  }
  if (refused.empty()) return {};
  return wrong(agent.name, "names '" + refused +
                               "' among its tools: parts of a tool cannot be chosen; name the "
                               "whole tool, and use permission rules for the rest");
}

Result<void> read_limits(const json& fields, core::AgentDefinition& agent) {
  if (has(fields, "permissionMode")) {
    agent.mode = core::permission_mode_from(text_at(fields, "permissionMode"));
    if (!agent.mode) return wrong(agent.name, "has a permissionMode that is not known");
  }
  if (has(fields, "maxTurns")) {
    const json& turns = fields["maxTurns"];
    const bool fits =
        turns.is_number() && turns.get<double>() >= 1 && turns.get<double>() <= k_most_turns;
    if (!fits) return wrong(agent.name, "has maxTurns that are no positive number");
    agent.max_turns = static_cast<int>(turns.get<double>());
  }
  if (has(fields, "isolation")) {
    return wrong(agent.name, "wants isolation, which is not supported and would not be kept");
  }
  return {};
}

Result<core::AgentDefinition> read_agent(const std::string& name, const json& fields,
                                         core::AgentSource source) {
  if (!core::is_agent_name(name)) {
    return wrong(name.substr(0, 100), "needs a name of one word, of at most 64 letters");
  }
  if (!fields.is_object()) return wrong(name, "is no JSON object");
  core::AgentDefinition agent{.name = name,
                              .description = text_at(fields, "description"),
                              .prompt = text_at(fields, "prompt"),
                              .source = source};
  if (agent.description.empty()) return wrong(name, "has no description");
  if (agent.prompt.empty()) return wrong(name, "has no prompt");
  if (auto read = read_tools(fields, agent); !read.ok()) return std::move(read).error();
  if (auto read = read_limits(fields, agent); !read.ok()) return std::move(read).error();
  agent.model = text_at(fields, "model");
  if (agent.model == "inherit") agent.model.clear();
  const auto is_set = [&fields](const char* key) {
    return has(fields, key) && fields[key].is_boolean() && fields[key].get<bool>();
  };
  agent.in_background = is_set("background");
  agent.without_instructions = is_set("omitClaudeMd");
  return agent;
}

}  // namespace

Result<std::vector<core::AgentDefinition>> read_agents(const json& agents,
                                                       core::AgentSource source) {
  if (!agents.is_object()) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "agents must be a JSON object, with a name for each agent"};
  }
  std::vector<core::AgentDefinition> all;
  for (const auto& [name, fields] : agents.items()) {
    YUME_TRY(core::AgentDefinition agent, read_agent(name, fields, source));
    all.push_back(std::move(agent));
  }
  return all;
}

Result<std::vector<core::AgentDefinition>> parse_agents(std::string_view text,
                                                        core::AgentSource source) {
  const json agents = read_json(text);
  if (agents.is_discarded()) {
    return Error{.code = ErrorCode::invalid_argument, .message = "agents are no valid JSON"};
  }
  return read_agents(agents, source);
}

}  // namespace yume::protocol
