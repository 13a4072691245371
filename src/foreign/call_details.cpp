// SPDX-License-Identifier: MIT
#include "foreign/call_details.h"

#include "util/json_tree.h"

#include <utility>

namespace yume::foreign {
namespace {

using nlohmann::json;

bool flag_at(const json& input, const char* key) {
  const auto found = input.find(key);
  return found != input.end() && *found == true;
}

core::TodosChanged todos_of(const json& input) {
  core::TodosChanged changed;
  const auto todos = input.find("todos");
  if (todos == input.end() || !todos->is_array()) return changed;
  for (const json& todo : *todos) {
    if (!todo.is_object()) continue;
    changed.after.push_back(
        {.content = text_at(todo, "content"),
         .status = core::todo_status_from(text_at(todo, "status")).value_or(core::TodoStatus{}),
         .active_form = text_at(todo, "activeForm")});
  }
  return changed;
}

core::FileEditedInSteps steps_of(const std::string& path, const json& input) {
  core::FileEditedInSteps edited{.path = path, .replacements = {}, .before = {}, .patch = {}};
  const auto edits = input.find("edits");
  if (edits == input.end() || !edits->is_array()) return edited;
  for (const json& one : *edits) {
    if (!one.is_object()) continue;
    edited.replacements.push_back({.old_text = text_at(one, "old_string"),
                                   .new_text = text_at(one, "new_string"),
                                   .all = flag_at(one, "replace_all")});
  }
  return edited;
}

core::ToolDetails details_of(const core::ToolCall& call, const core::ToolOutcome& outcome) {
  if (call.name == "Bash") return core::CommandRan{.output = outcome.content};
  const bool writes = call.name == "Write" || call.name == "Edit" || call.name == "MultiEdit";
  if (!writes && call.name != "TodoWrite") return {};
  const json input = read_json(call.input.text);
  if (!input.is_object()) return {};
  if (call.name == "TodoWrite") return todos_of(input);
  const std::string path = text_at(input, "file_path");
  if (path.empty()) return {};
  if (call.name == "MultiEdit") return steps_of(path, input);
  if (call.name == "Write") {
    return core::FileWritten{
        .path = path, .content = text_at(input, "content"), .before = std::nullopt, .patch = {}};
  }
  return core::FileEdited{.path = path,
                          .replacement = {.old_text = text_at(input, "old_string"),
                                          .new_text = text_at(input, "new_string"),
                                          .all = flag_at(input, "replace_all")},
                          .before = {},
                          .patch = {}};
}

}  // namespace

void add_details(const core::ToolCall& call, core::ToolOutcome& outcome) {
  if (call.name == "Bash" && !outcome.is_error) outcome.reports_success = true;
  if (!std::holds_alternative<core::NoDetails>(outcome.details)) return;
  if (outcome.is_error) {
    outcome.details = core::CallFailed{outcome.content};
  } else {
    outcome.details = details_of(call, outcome);
  }
}

}  // namespace yume::foreign
