// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/bash.h"
#include "tools/descriptions.h"

#include <utility>

namespace yume::tools {
namespace {

core::ToolOutcome kill(const std::string& id, const ToolContext& context) {
  BackgroundCommands& background = context.shell.background();
  background.kill(id, context.cancel);
  const auto view = background.look(id);
  core::ToolOutcome outcome;
  JsonWriter json(outcome.content);
  json.begin_object();
  json.field("message", "Successfully killed shell: " + id + " (" + view->command + ")");
  json.field("shell_id", id).end_object();
  return outcome;
}

class KillShellTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const nlohmann::json& input, const ToolContext& context) const override {
    ArgReader args(spec_.name, input);
    const std::string id = args.required_string("shell_id");
    if (auto problem = args.problems()) return *problem;
    const auto view = context.shell.background().look(id);
    if (!view) return refused_input("No background command with ID " + id);
    if (view->status != core::BackgroundStatus::running) {
      return refused_input("Background command " + id + " is not running (status: " +
                           std::string(to_string(view->status)) + ")");
    }
    return PlannedCall{.action = core::StaysInSession{},
                       .run = [id](const ToolContext& running) { return kill(id, running); }};
  }

 private:
  ToolSpec spec_{
      .name = "KillShell",
      .description = std::string(description_text("kill_shell")),
      .input_schema = {R"({"type":"object","properties":{)"
                       R"("shell_id":{"type":"string","description":"The ID that Bash gave"}},)"
                       R"("required":["shell_id"],"additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_kill_shell_tool() {
  return std::make_unique<KillShellTool>();
}

}  // namespace yume::tools
