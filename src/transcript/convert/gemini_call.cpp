// SPDX-License-Identifier: MIT
#include "transcript/convert/gemini_call.h"

#include "transcript/importers/import_json.h"

#include <algorithm>
#include <array>
#include <utility>

namespace yume::transcript {
namespace {

using import::Json;

struct Name {
  std::string_view ours;
  std::string_view theirs;
};
constexpr std::array k_names = {
    Name{"Read", "read_file"},
    Name{"Write", "write_file"},
    Name{"Edit", "replace"},
    Name{"Glob", "glob"},
    Name{"Grep", "grep_search"},
    Name{"LS", "list_directory"},
    Name{"Bash", "run_shell_command"},
    Name{"TodoWrite", "write_todos"},
    Name{"WebSearch", "google_web_search"},
    Name{"WebFetch", "web_fetch"},
    Name{"AskUserQuestion", "ask_user"},
    Name{"ExitPlanMode", "exit_plan_mode"},
    Name{"EnterPlanMode", "enter_plan_mode"},
    Name{"Skill", "activate_skill"},
};

struct Field {
  std::string_view tool;  // by their name
  const char* ours;
  const char* theirs;
};
constexpr std::array k_fields = {
    Field{"glob", "path", "dir_path"},
    Field{"grep_search", "path", "dir_path"},
    Field{"grep_search", "glob", "include_pattern"},
    Field{"grep_search", "-C", "context"},
    Field{"grep_search", "-B", "before"},
    Field{"grep_search", "-A", "after"},
    Field{"list_directory", "path", "dir_path"},
    Field{"run_shell_command", "run_in_background", "is_background"},
    Field{"replace", "replace_all", "allow_multiple"},
    Field{"activate_skill", "skill", "name"},
};

void rename(Json& args, const char* from, const char* to) {
  const auto found = args.find(from);
  if (found == args.end()) return;
  Json value = std::move(*found);
  args.erase(from);
  args[to] = std::move(value);
}

void map_read(Json& args) {
  const Json& offset = import::at(args, {"offset"});
  const Json& limit = import::at(args, {"limit"});
  const std::int64_t first = offset.is_number_integer() ? offset.get<std::int64_t>() : 1;
  if (offset.is_number_integer()) args["start_line"] = first;
  if (limit.is_number_integer()) args["end_line"] = first + limit.get<std::int64_t>() - 1;
  args.erase("offset");
  args.erase("limit");
}

void map_todos(Json& args) {
  const auto todos = args.find("todos");
  if (todos == args.end() || !todos->is_array()) return;
  for (Json& todo : *todos) {
    if (!todo.is_object()) continue;
    todo = Json{{"description", import::text_at(todo, {"content", "description"})},
                {"status", import::text_at(todo, {"status"})}};
  }
}

}  // namespace

GeminiCall gemini_call(const SaidCall& call) {
  const auto* known = std::find_if(k_names.begin(), k_names.end(),
                                   [&call](const Name& one) { return one.ours == call.name; });
  if (known == k_names.end()) return {call.name, call.input};
  Json args = import::parse(call.input.text).value_or(Json::object());
  if (!args.is_object()) return {std::string(known->theirs), call.input};
  for (const Field& field : k_fields) {
    if (field.tool == known->theirs) rename(args, field.ours, field.theirs);
  }
  if (known->theirs == "read_file") map_read(args);
  if (known->theirs == "write_todos") map_todos(args);
  return {std::string(known->theirs), import::raw(args)};
}

}  // namespace yume::transcript
