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

bool is_status(const json& value) {
  return value == "pending" || value == "in_progress" || value == "completed";
}

std::string text_in(const json& todo, const char* field) {
  const auto found = todo.find(field);
  return found != todo.end() && found->is_string() ? found->get<std::string>() : std::string();
}

// What can be used of the list: an item without a text or with an unknown status is dropped.
json usable(const json& todos) {
  json kept = json::array();
  for (const json& todo : todos) {
    if (!todo.is_object() || !todo.contains("status") || !is_status(todo["status"])) continue;
    const std::string content = text_in(todo, "content");
    if (content.empty()) continue;
    const std::string active = text_in(todo, "activeForm");
    kept.push_back({{"content", content},
                    {"status", todo["status"]},
                    {"activeForm", active.empty() ? content : active}});
  }
  return kept;
}

core::ToolOutcome write_todos(const json& todos, const ToolContext& context) {
  if (context.todos == nullptr) return refused_input("There is no todo list in this session.");
  const json kept = usable(todos);
  const RawJson before = context.todos->replace({write_json(kept)});
  core::ToolOutcome outcome;
  outcome.content = k_done;
  if (kept.size() < todos.size()) {
    outcome.model_note = std::to_string(todos.size() - kept.size()) +
                         " items were dropped: each needs `content` and a `status` of pending, "
                         "in_progress or completed.";
  }
  std::string details;
  JsonWriter writer(details);
  writer.begin_object().field("oldTodos", before).field("newTodos", RawJson{write_json(kept)});
  writer.end_object();
  outcome.details = RawJson{std::move(details)};
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
    return PlannedCall{
        .action = core::StaysInSession{},
        .run = [list = *todos](const ToolContext& running) { return write_todos(list, running); }};
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
      .effect = Effect::changes_things,
  };
};

}  // namespace

std::unique_ptr<Tool> make_todo_write_tool() {
  return std::make_unique<TodoWriteTool>();
}

}  // namespace yume::tools
