// SPDX-License-Identifier: MIT
#include "session/subagents/task_tools.h"

#include "tools/args.h"
#include "tools/background.h"
#include "tools/text_file.h"
#include "util/json_tree.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace yume::session {
namespace {

using core::BackgroundStatus;
using std::chrono::milliseconds;

constexpr milliseconds k_default_wait{30'000};
constexpr milliseconds k_longest_wait{600'000};

// Hosts look for these tags.
core::ToolOutcome report_on(const std::string& id, milliseconds longest_wait, Subagents& subagents,
                            const CancelToken& cancel) {
  if (longest_wait.count() > 0) subagents.wait_for_end(id, longest_wait, cancel);
  const auto view = subagents.look(id);
  if (!view) return tools::failed_running("No background agent with ID " + id);
  const bool running = view->status == BackgroundStatus::running;
  const bool waited = longest_wait.count() > 0;
  subagents.report_seen(id);
  core::ToolOutcome outcome;
  std::string& text = outcome.content;
  text = "<retrieval_status>";
  text += !running ? "success" : waited ? "timeout" : "not_ready";
  text += "</retrieval_status>\n\n<task_id>" + id + "</task_id>\n\n";
  text += "<task_type>local_agent</task_type>\n\n<status>";
  text += std::string(tools::to_string(view->status)) + "</status>";
  if (!running) text += "\n\n<output>\n" + view->report + "\n</output>";
  return outcome;
}

core::ToolOutcome stop(const std::string& id, Subagents& subagents, const CancelToken& cancel) {
  if (!subagents.stop(id)) return tools::failed_running("Agent " + id + " is not running.");
  subagents.wait_for_end(id, k_default_wait, cancel);
  subagents.report_seen(id);
  core::ToolOutcome outcome;
  JsonWriter json(outcome.content);
  json.begin_object().field("message", "Successfully stopped task: " + id);
  json.field("task_id", id).field("task_type", "local_agent").end_object();
  return outcome;
}

enum class TaskStep { report, stop };

class TaskTool final : public tools::Tool {
 public:
  TaskTool(std::unique_ptr<tools::Tool> of_commands, TaskStep step, const char* id_field,
           Subagents& subagents)
      : of_commands_(std::move(of_commands)),
        step_(step),
        id_field_(id_field),
        subagents_(subagents) {}

  const tools::ToolSpec& spec() const override { return of_commands_->spec(); }

  tools::Plan plan(const nlohmann::json& input, const tools::ToolContext& context) const override {
    const std::string id = text_at(input, id_field_);
    if (!subagents_.look(id)) return of_commands_->plan(input, context);
    milliseconds wait{0};
    if (step_ == TaskStep::report) {
      tools::ArgReader args(spec().name, input);
      args.required_string(id_field_);
      args.optional_string("filter");
      const bool block = args.optional_bool("block", true);
      const auto timeout = args.optional_integer("timeout");
      if (auto problem = args.problems()) return *std::move(problem);
      if (block) {
        wait = std::clamp(milliseconds(timeout.value_or(k_default_wait.count())), milliseconds(1),
                          k_longest_wait);
      }
    }
    return tools::PlannedCall{.action = core::StaysInSession{},
                              .run = [this, id, wait](const tools::ToolContext& running) {
                                return step_ == TaskStep::report
                                           ? report_on(id, wait, subagents_, running.cancel)
                                           : stop(id, subagents_, running.cancel);
                              }};
  }

 private:
  std::unique_ptr<tools::Tool> of_commands_;
  TaskStep step_;
  const char* id_field_;
  Subagents& subagents_;
};

}  // namespace

void serve_background_agents(tools::Registry& registry, Subagents& subagents) {
  registry.wrap("BashOutput", [&subagents](std::unique_ptr<tools::Tool> tool) {
    return std::make_unique<TaskTool>(std::move(tool), TaskStep::report, "bash_id", subagents);
  });
  registry.wrap("KillShell", [&subagents](std::unique_ptr<tools::Tool> tool) {
    return std::make_unique<TaskTool>(std::move(tool), TaskStep::stop, "shell_id", subagents);
  });
}

}  // namespace yume::session
