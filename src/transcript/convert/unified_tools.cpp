// SPDX-License-Identifier: MIT
#include "transcript/convert/unified_tools.h"

#include "core/gemini_cli_tools.h"
#include "transcript/importers/import_json.h"

#include <initializer_list>

namespace yume::transcript {
namespace {

using import::at;
using import::Json;

// Only these fields, each the first of its spellings that is there.
struct Field {
  const char* name;
  std::initializer_list<const char*> given;
};

RawJson only(const Json& args, std::initializer_list<Field> fields, Json input = Json::object()) {
  for (const Field& field : fields) {
    const Json& value = at(args, field.given);
    if (!value.is_null()) input[field.name] = value;
  }
  return import::raw(input);
}

// The tool keeps its own words; only what no reader knows of its statuses changes.
RawJson settled_todos(const RawJson& given, Json args) {
  const auto todos = args.find("todos");
  if (todos == args.end() || !core::settle_todos(*todos)) return given;
  return import::raw(args);
}

}  // namespace

UnifiedCall unified_call(const SaidCall& call) {
  const Json args = import::parse(call.input.text).value_or(Json::object());
  if (call.name == "read_file") {
    return {"Read", only(args, {{"file_path", {"absolute_path", "file_path"}}})};
  }
  if (call.name == "write_file") {
    return {"Write", only(args, {{"file_path", {"file_path"}}, {"content", {"content"}}})};
  }
  if (call.name == "replace") {
    return {"Edit", only(args, {{"file_path", {"file_path"}},
                                {"old_string", {"old_string"}},
                                {"new_string", {"new_string"}}})};
  }
  if (call.name == "list_directory") {
    return {"Glob", only(args, {{"path", {"path", "dir_path"}}}, Json{{"pattern", "*"}})};
  }
  if (call.name == "run_shell_command") {
    return {"Bash", only(args, {{"command", {"command"}}, {"description", {"description"}}})};
  }
  if (call.name == "google_web_search") return {"WebSearch", call.input};
  if (call.name == "write_todos") return {call.name, settled_todos(call.input, args)};
  return {call.name, call.input};
}

}  // namespace yume::transcript
