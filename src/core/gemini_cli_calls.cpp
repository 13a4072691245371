// SPDX-License-Identifier: MIT
#include "core/gemini_cli_calls.h"

#include "core/gemini_cli_tools.h"
#include "core/tool_names.h"
#include "util/json_tree.h"

#include <cstdint>
#include <string_view>
#include <utility>

namespace yume::core {
namespace {

using Json = nlohmann::ordered_json;

// In the place of the old field, so that the order stays.
Json renamed(const Json& input, std::string_view tool) {
  Json out = Json::object();
  for (const auto& [key, value] : input.items()) {
    const auto name = gemini_cli_field_of(tool, key);
    out[name ? std::string(*name) : key] = value;
  }
  return out;
}

// Lines as "from" and "to" in place of "from" and "how many".
void translate_read(Json& input) {
  const auto offset = input.find("offset");
  const bool has_offset = offset != input.end() && offset->is_number_integer();
  const std::int64_t first = has_offset ? offset->get<std::int64_t>() : 1;
  if (has_offset) {
    input.erase("offset");
    input["start_line"] = first;
  }
  const auto limit = input.find("limit");
  if (limit == input.end() || !limit->is_number_integer()) return;
  const auto lines = limit->get<std::int64_t>();
  input.erase("limit");
  input["end_line"] = first + lines - 1;
}

void translate_grep(Json& input) {
  if (const auto folded = input.find("-i"); folded != input.end()) {
    const bool ignores_case = *folded == true;
    input.erase("-i");
    if (ignores_case) input["case_sensitive"] = false;
  }
  input.erase("-n");
  const std::string mode = text_at(input, "output_mode");
  if (mode == "content") input.erase("output_mode");
  if (mode == "files_with_matches" || mode.empty()) {
    input.erase("output_mode");
    input["names_only"] = true;
  }
}

// `replace` knows one change. Of several the first is shown in its fields, and all of them beside.
void translate_edits(Json& input) {
  const auto edits = input.find("edits");
  if (edits == input.end() || !edits->is_array() || edits->empty()) return;
  const bool is_only = edits->size() == 1;
  const Json first = edits->front();
  if (!first.is_object()) return;
  if (is_only) input.erase("edits");
  for (const auto& [key, value] : first.items()) {
    input[key == "replace_all" ? "allow_multiple" : key] = value;
  }
}

void translate_todos(Json& input) {
  const auto todos = input.find("todos");
  if (todos == input.end() || !todos->is_array()) return;
  settle_todos(*todos);
  for (Json& todo : *todos) {
    if (!todo.is_object()) continue;
    Json out = Json::object();
    out["description"] = text_at(todo, "content");
    out["status"] = text_at(todo, "status");
    todo = std::move(out);
  }
}

// Its prompt names the pages.
void translate_fetch(Json& input) {
  const std::string url = text_at(input, "url");
  std::string prompt = text_at(input, "prompt");
  if (url.empty()) return;
  input.erase("url");
  if (prompt.find(url) == std::string::npos) prompt += (prompt.empty() ? "" : "\n") + url;
  input["prompt"] = prompt;
}

void translate(std::string_view tool, Json& input) {
  if (tool == "Read") translate_read(input);
  if (tool == "Grep") translate_grep(input);
  if (tool == "MultiEdit") translate_edits(input);
  if (tool == "TodoWrite") translate_todos(input);
  if (tool == "WebFetch") translate_fetch(input);
}

// A call that has its words already.
GeminiCliCall settled(const ToolCall& call) {
  GeminiCliCall same{.name = call.name, .parameters = call.input};
  if (call.name != "write_todos") return same;
  Json input = read_ordered_json(call.input.text);
  const auto todos = input.is_object() ? input.find("todos") : input.end();
  if (todos != input.end() && settle_todos(*todos)) same.parameters.text = write_json(input);
  return same;
}

}  // namespace

GeminiCliCall as_gemini_cli_call(const ToolCall& call) {
  const auto name = gemini_cli_name_of(call.name);
  if (!name) return settled(call);
  const Json input = read_ordered_json(call.input.text);
  if (!input.is_object()) return {.name = std::string(*name), .parameters = call.input};
  Json parameters = renamed(input, call.name);
  translate(call.name, parameters);
  return {.name = std::string(*name), .parameters = RawJson{write_json(parameters)}};
}

}  // namespace yume::core
