// SPDX-License-Identifier: MIT
#include "core/gemini_cli_tools.h"

#include "util/json_tree.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace yume::core {
namespace {

struct ToolName {
  std::string_view called;
  std::string_view name;
};

// Of all its versions. Of several names of one tool the first is today's.
constexpr std::array k_names = {
    ToolName{"read_file", "Read"},
    ToolName{"write_file", "Write"},
    ToolName{"replace", "Edit"},
    ToolName{"edit", "Edit"},
    ToolName{"glob", "Glob"},
    ToolName{"grep_search", "Grep"},
    ToolName{"search_file_content", "Grep"},
    ToolName{"list_directory", "LS"},
    ToolName{"run_shell_command", "Bash"},
    ToolName{"write_todos", "TodoWrite"},
    ToolName{"google_web_search", "WebSearch"},
    ToolName{"web_fetch", "WebFetch"},
    ToolName{"exit_plan_mode", "ExitPlanMode"},
    ToolName{"ask_user", "AskUserQuestion"},
    ToolName{"enter_plan_mode", "EnterPlanMode"},
    ToolName{"activate_skill", "Skill"},
};

// Of several names of one field the first is today's.
constexpr std::array k_fields = {
    RenamedField{"Glob", "dir_path", "path"},
    RenamedField{"Grep", "dir_path", "path"},
    RenamedField{"Grep", "include_pattern", "glob"},
    RenamedField{"Grep", "include", "glob"},
    RenamedField{"Grep", "before", "-B"},
    RenamedField{"Grep", "after", "-A"},
    RenamedField{"LS", "dir_path", "path"},
    RenamedField{"Bash", "is_background", "run_in_background"},
    RenamedField{"Skill", "name", "skill"},
};

// Fields that models are not known to mix up, so that nobody has to read them.
constexpr std::array k_new_fields = {
    RenamedField{"Edit", "allow_multiple", "replace_all"},
    RenamedField{"Grep", "context", "-C"},
    RenamedField{"Grep", "total_max_matches", "head_limit"},
};

struct TodoStatus {
  std::string_view given;
  std::string_view status;
};

// A task that is given up is as little to be done as one that is finished.
constexpr std::array k_statuses = {
    TodoStatus{"cancelled", "completed"},
    TodoStatus{"canceled", "completed"},
    TodoStatus{"blocked", "pending"},
};

template <class Json>
bool has_text(const Json& todo, const char* field) {
  return text_at(todo, field).find_first_not_of(" \t\r\n") != std::string::npos;
}

// Something other than a text may be meant as one; whoever reads the list says so.
template <class Json>
bool is_odd(const Json& todo, const char* field) {
  const auto found = todo.find(field);
  return found != todo.end() && !found->is_string() && !found->is_null();
}

template <class Json>
bool is_blank(const Json& todo) {
  const auto says = [&todo](const char* field) {
    return has_text(todo, field) || is_odd(todo, field);
  };
  return !says("content") && !says("description");
}

template <class Json>
bool settle_status(Json& todo) {
  const std::string given = text_at(todo, "status");
  const auto* known = std::find_if(k_statuses.begin(), k_statuses.end(),
                                   [&given](const TodoStatus& one) { return one.given == given; });
  if (known == k_statuses.end()) return false;
  todo["status"] = known->status;
  return true;
}

template <class Json>
bool translate_todo(Json& todo) {
  bool changed = false;
  if (const auto description = todo.find("description"); description != todo.end()) {
    Json text = std::move(*description);
    todo.erase("description");
    if (!has_text(todo, "content")) todo["content"] = std::move(text);
    changed = true;
  }
  if (!has_text(todo, "activeForm") && has_text(todo, "content")) {
    todo["activeForm"] = todo["content"];
    changed = true;
  }
  return settle_status(todo) || changed;
}

template <class Json, class Change>
bool change_list(Json& todos, Change change) {
  if (!todos.is_array()) return false;
  bool changed = false;
  Json kept = Json::array();
  for (Json& todo : todos) {
    if (todo.is_object() && is_blank(todo)) {
      changed = true;
      continue;
    }
    changed = (todo.is_object() && change(todo)) || changed;
    kept.push_back(std::move(todo));
  }
  todos = std::move(kept);
  return changed;
}

}  // namespace

bool translate_todos(nlohmann::json& todos) {
  return change_list(todos, translate_todo<nlohmann::json>);
}

bool translate_todos(nlohmann::ordered_json& todos) {
  return change_list(todos, translate_todo<nlohmann::ordered_json>);
}

bool settle_todos(nlohmann::ordered_json& todos) {
  return change_list(todos, settle_status<nlohmann::ordered_json>);
}

std::span<const RenamedField> gemini_cli_fields() {
  return k_fields;
}

std::optional<std::string_view> gemini_cli_name_of(std::string_view tool) {
  const std::string_view name = tool == "MultiEdit" ? "Edit" : tool;
  const auto* found = std::find_if(k_names.begin(), k_names.end(),
                                   [name](const ToolName& one) { return one.name == name; });
  if (found == k_names.end()) return std::nullopt;
  return found->called;
}

std::optional<std::string_view> gemini_cli_field_of(std::string_view tool, std::string_view field) {
  for (const std::span<const RenamedField> table :
       {std::span<const RenamedField>(k_fields), std::span<const RenamedField>(k_new_fields)}) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const RenamedField& one) {
      return one.tool == tool && one.field == field;
    });
    if (found != table.end()) return found->given;
  }
  return std::nullopt;
}

std::optional<std::string_view> name_of_gemini_cli_tool(std::string_view called) {
  const auto* found = std::find_if(k_names.begin(), k_names.end(),
                                   [called](const ToolName& one) { return one.called == called; });
  if (found == k_names.end()) return std::nullopt;
  return found->name;
}

}  // namespace yume::core
