// SPDX-License-Identifier: MIT
#include "tools/args.h"
#include "tools/descriptions.h"
#include "tools/session_tools.h"
#include "tools/todo_list.h"
#include "util/json_tree.h"

namespace yume::tools {
namespace {

using nlohmann::json;

constexpr std::string_view k_done =
    "Todos have been modified successfully. Ensure that you continue to use the todo list to track "
    "your progress. Please proceed with the current tasks if applicable";

std::string text_in(const json& todo, const char* field) {
  const auto found = todo.find(field);
  return found != todo.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// What can be used of the list: an item without a text or with an unknown status is dropped.
std::vector<core::Todo> usable(const json& todos) {
  std::vector<core::Todo> kept;
  for (const json& todo : todos) {
    if (!todo.is_object()) continue;
    const auto status = core::todo_status_from(text_in(todo, "status"));
    std::string content = text_in(todo, "content");
    if (!status || content.find_first_not_of(" \t\r\n") == std::string::npos) continue;
    std::string active = text_in(todo, "activeForm");
    if (active.empty()) active = content;
    kept.push_back(
        {.content = std::move(content), .status = *status, .active_form = std::move(active)});
  }
  return kept;
}

// The list, and how many items of it were dropped.
struct TodoInput {
  std::vector<core::Todo> todos;
  std::size_t dropped = 0;
};

core::ToolOutcome write_todos(const TodoInput& input, const ToolContext& context) {
  if (context.todos == nullptr) return refused_input("There is no todo list in this session.");
  core::ToolOutcome outcome;
  outcome.content = k_done;
  if (input.dropped > 0) {
    outcome.model_note = std::to_string(input.dropped) +
                         " items were dropped: each needs `content` and a `status` of pending, "
                         "in_progress or completed.";
  }
  outcome.details =
      core::TodosChanged{.before = context.todos->replace(input.todos), .after = input.todos};
  return outcome;
}

class TodoWriteTool final : public Tool {
 public:
  const ToolSpec& spec() const override { return spec_; }

  Plan plan(const json& input, const ToolContext& /*context*/) const override {
    const auto todos = input.find("todos");
    if (todos == input.end() || !todos->is_array()) {
      return refused_input("InputValidationError: TodoWrite failed due to the following issue:\n" +
                           std::string(todos == input.end()
                                           ? "The required parameter `todos` is missing"
                                           : "The parameter `todos` must be an array"));
    }
    TodoInput list{.todos = usable(*todos)};
    list.dropped = todos->size() - list.todos.size();
    return PlannedCall{.action = core::StaysInSession{},
                       .run = [list = std::move(list)](const ToolContext& running) {
                         return write_todos(list, running);
                       }};
  }

 private:
  ToolSpec spec_{
      .name = "TodoWrite",
      .description = std::string(description_text("todo_write")),
      .input_schema = {R"({"type":"object","properties":{"todos":{"type":"array","items":)"
                       R"({"type":"object","properties":{)"
                       R"("content":{"type":"string","description":"What is to be done"},)"
                       R"("status":{"type":"string","enum":["pending","in_progress","completed"]},)"
                       R"("activeForm":{"type":"string","description":"The same while it is being )"
                       R"(done: \"Running tests\""}},"required":["content","status","activeForm"],)"
                       R"("additionalProperties":false}}},"required":["todos"],)"
                       R"("additionalProperties":false})"},
      .schema_form = SchemaForm::plain,
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_todo_write_tool() {
  return std::make_unique<TodoWriteTool>();
}

}  // namespace yume::tools
