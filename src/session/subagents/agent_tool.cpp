// SPDX-License-Identifier: MIT
#include "session/subagents/agent_tool.h"

#include "tools/args.h"
#include "tools/descriptions.h"

#include <utility>

namespace yume::session {
namespace {

constexpr std::string_view k_default_agent = "general-purpose";

std::string tools_of(const core::AgentDefinition& agent) {
  const auto join = [](const std::vector<std::string>& names) {
    std::string text;
    for (const std::string& name : names) text.append(text.empty() ? "" : ", ").append(name);
    return text;
  };
  if (agent.tools) return agent.tools->empty() ? "none" : join(*agent.tools);
  if (agent.disallowed_tools.empty()) return "all";
  return "all but " + join(agent.disallowed_tools);
}

std::string description_with(const AgentSet& agents) {
  std::string text(tools::description_text("agent"));
  for (const core::AgentDefinition& agent : agents.agents) {
    text += "\n- " + agent.name + ": " + agent.description + " (Tools: " + tools_of(agent) + ")";
  }
  return text;
}

class AgentTool final : public tools::Tool {
 public:
  AgentTool(std::shared_ptr<const AgentSet> agents, Subagents& subagents)
      : agents_(std::move(agents)), subagents_(subagents) {
    spec_.description = description_with(*agents_);
  }

  const tools::ToolSpec& spec() const override { return spec_; }

  tools::Plan plan(const nlohmann::json& input,
                   const tools::ToolContext& /*context*/) const override {
    tools::ArgReader args(spec_.name, input);
    AgentOrder order;
    order.description = args.required_string("description");
    order.prompt = args.required_string("prompt");
    const std::string type =
        args.optional_string("subagent_type").value_or(std::string(k_default_agent));
    order.model = args.optional_string("model").value_or("");
    const bool in_background = args.optional_bool("run_in_background", false);
    if (auto problem = args.problems()) return *std::move(problem);
    const core::AgentDefinition* agent = agents_->find(type);
    if (agent == nullptr) return tools::refused_input(unknown(type));
    order.definition = *agent;
    order.in_background = in_background || agent->in_background;
    return tools::PlannedCall{.action = core::StartsAgent{type},
                              .run = [this, order](const tools::ToolContext& running) {
                                return subagents_.work(order, running);
                              }};
  }

 private:
  [[nodiscard]] std::string unknown(const std::string& type) const {
    std::string text = "Agent type '" + type + "' not found. Available agents:";
    std::string separator = " ";
    for (const std::string& name : agents_->names()) {
      text += std::exchange(separator, ", ") + name;
    }
    return text;
  }

  std::shared_ptr<const AgentSet> agents_;  // shared with the catalog, which may get new ones
  Subagents& subagents_;
  tools::ToolSpec spec_{
      .name = "Agent",
      .description = {},
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("description":{"type":"string","description":"The task in three to )"
                       R"(five words, for the user"},)"
                       R"("prompt":{"type":"string","description":"The task, complete"},)"
                       R"("subagent_type":{"type":"string","description":"Which agent; )"
                       R"(general-purpose without it"},)"
                       R"("model":{"type":"string","description":"Another model than the )"
                       R"(agent's own, only if the user wants it"},)"
                       R"("run_in_background":{"type":"boolean","description":"Do not wait )"
                       R"(for it"}},"required":["description","prompt"],)"
                       R"("additionalProperties":false})"},
      .schema_form = tools::SchemaForm::plain,
      .effect = tools::Effect::delegates,
  };
};

}  // namespace

std::unique_ptr<tools::Tool> make_agent_tool(std::shared_ptr<const AgentSet> agents,
                                             Subagents& subagents) {
  return std::make_unique<AgentTool>(std::move(agents), subagents);
}

}  // namespace yume::session
