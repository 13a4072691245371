// SPDX-License-Identifier: MIT
#include "core/gemini_cli_input.h"

#include "core/gemini_cli_tools.h"
#include "util/json_tree.h"

#include <array>
#include <span>
#include <utility>

namespace yume::core {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array k_fields = {
    RenamedField{"Read", "absolute_path", "file_path"},
    RenamedField{"Grep", "context", "-C"},
    RenamedField{"Skill", "name", "skill"},
};

struct ToolName {
  std::string_view called;
  std::string_view name;
};
// Those that a session has, but no model calls here by heart.
constexpr std::array k_names = {
    ToolName{"enter_plan_mode", "EnterPlanMode"},
    ToolName{"activate_skill", "Skill"},
    ToolName{"invoke_agent", "Task"},
};

void rename(Json& input, const char* given, const char* field) {
  const auto found = input.find(given);
  if (found == input.end()) return;
  Json value = *found;
  input.erase(given);
  if (!input.contains(field)) input[field] = std::move(value);
}

std::int64_t number_at(const Json& object, const char* key) {
  const auto value = object.find(key);
  const bool is_number = value != object.end() && value->is_number_integer();
  return is_number ? value->get<std::int64_t>() : 0;
}

bool flag_at(const Json& object, const char* key) {
  const auto value = object.find(key);
  return value != object.end() && *value == true;
}

// The first of the two that is there.
std::string text_at(const Json& object, const char* key, const char* old_key) {
  return yume::text_at(object, object.contains(key) ? key : old_key);
}

// Lines from one to another here, how many from which on there; the oldest counted from 0.
void map_read(Json& input) {
  const std::int64_t first = number_at(input, "start_line");
  const std::int64_t last = number_at(input, "end_line");
  if (first > 0) {
    input["offset"] = first;
    if (last >= first) input["limit"] = last - first + 1;
  } else if (input.contains("offset")) {
    input["offset"] = number_at(input, "offset") + 1;
  }
  input.erase("start_line");
  input.erase("end_line");
}

void map_edit(Json& input) {
  const bool all =
      flag_at(input, "allow_multiple") || number_at(input, "expected_replacements") > 1;
  if (all) input["replace_all"] = true;
  for (const char* key : {"allow_multiple", "expected_replacements", "instruction"}) {
    input.erase(key);
  }
}

void map_grep(Json& input) {
  if (const auto found = input.find("case_sensitive"); found != input.end()) {
    if (*found == false) input["-i"] = true;
    input.erase("case_sensitive");
  }
  const bool names = flag_at(input, "names_only");
  input.erase("names_only");
  input["output_mode"] = names ? "files_with_matches" : "content";
}

void map_todos(Json& input) {
  if (const auto todos = input.find("todos"); todos != input.end()) translate_todos(*todos);
}

// Where a command ran is part of what it was.
void map_shell(Json& input) {
  const std::string folder = text_at(input, "dir_path", "directory");
  input.erase("dir_path");
  input.erase("directory");
  if (folder.empty()) return;
  const std::string said = yume::text_at(input, "description");
  input["description"] = "[in " + folder + "]" + (said.empty() ? "" : " " + said);
}

Json choices_of(const Json& question) {
  if (yume::text_at(question, "type") == "yesno") {
    return Json::array(
        {{{"label", "Yes"}, {"description", ""}}, {{"label", "No"}, {"description", ""}}});
  }
  const auto options = question.find("options");
  return options != question.end() && options->is_array() ? *options : Json::array();
}

void map_questions(Json& input) {
  const auto questions = input.find("questions");
  if (questions == input.end() || !questions->is_array()) return;
  for (Json& question : *questions) {
    if (!question.is_object()) continue;
    question = Json{
        {"question", yume::text_at(question, "question")},
        {"header", yume::text_at(question, "header")},
        {"options", choices_of(question)},
        {"multiSelect",
         flag_at(question, question.contains("multiSelect") ? "multiSelect" : "multi_select")}};
  }
}

void map_fetch(Json& input) {
  const std::string prompt = yume::text_at(input, "prompt");
  const std::size_t from = prompt.find("http");
  if (from == std::string::npos || input.contains("url")) return;
  input["url"] = prompt.substr(from, prompt.find_first_of(" \t\r\n\"'<>)", from) - from);
}

std::string mapped_name(std::string_view name) {
  if (const auto known = name_of_gemini_cli_tool(name)) return std::string(*known);
  for (const ToolName& one : k_names) {
    if (one.called == name) return std::string(one.name);
  }
  const bool remote = name.find("__") != std::string_view::npos && !name.starts_with("mcp__");
  return (remote ? "mcp__" : "") + std::string(name);
}

}  // namespace

MappedCall map_gemini_cli_call(std::string_view name, Json args) {
  MappedCall call{.name = mapped_name(name), .input = std::move(args)};
  if (!call.input.is_object()) {
    call.input = call.input.is_null() ? Json::object() : Json{{"value", call.input}};
  }
  for (const auto& table : {gemini_cli_fields(), std::span<const RenamedField>(k_fields)}) {
    for (const RenamedField& one : table) {
      if (one.tool == call.name) rename(call.input, one.given, one.field);
    }
  }
  if (call.name == "Read") map_read(call.input);
  if (call.name == "Edit") map_edit(call.input);
  if (call.name == "Grep") map_grep(call.input);
  if (call.name == "TodoWrite") map_todos(call.input);
  if (call.name == "WebFetch") map_fetch(call.input);
  if (call.name == "Bash") map_shell(call.input);
  if (call.name == "AskUserQuestion") map_questions(call.input);
  return call;
}

}  // namespace yume::core
