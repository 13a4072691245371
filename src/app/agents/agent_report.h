// SPDX-License-Identifier: MIT
// What `detect` and `capabilities` say about an agent, for people and for programs. Pure.
#pragma once

#include <string>
#include <vector>

#include "app/agents/agent_search.h"
#include "app/agents/agent_table.h"

namespace yume::app {

struct AgentModel {
  std::string id;
  std::string name;
};

struct AgentReport {
  const Agent* agent = nullptr;
  FoundAgent found;
  std::vector<AgentModel> models;
};

// The models that the agent can be asked for, as far as this program knows.
std::vector<AgentModel> models_of(const Agent& agent);

// One line of JSON without its newline: of one agent, or of many below `agents`.
std::string agent_json(const AgentReport& report);
std::string agents_json(const std::vector<AgentReport>& reports);
// Hosts that know one provider only find its answer without looking for it: Gemini's fields stand
// beside the list.
std::string capabilities_json(const std::vector<AgentReport>& reports);

// Every text ends with a newline.
std::string detect_text(const std::vector<AgentReport>& reports);
std::string capabilities_text(const std::vector<AgentReport>& reports);

}  // namespace yume::app
