// SPDX-License-Identifier: MIT
#include "tools/aliases.h"

#include "core/gemini_cli_tools.h"
#include "core/tool_names.h"
#include "tools/web/prompt_urls.h"
#include "util/json_io.h"
#include "util/json_tree.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace yume::tools {
namespace {

using nlohmann::json;

constexpr std::array k_fields = {
    core::RenamedField{"Edit", "old_str", "old_string"},
    core::RenamedField{"Edit", "new_str", "new_string"},
    core::RenamedField{"Edit", "allow_multiple", "replace_all"},
    core::RenamedField{"NotebookEdit", "file_path", "notebook_path"},
    core::RenamedField{"Grep", "total_max_matches", "head_limit"},
    core::RenamedField{"Bash", "dir_path", "directory"},
    core::RenamedField{"BashOutput", "task_id", "bash_id"},
    core::RenamedField{"KillShell", "task_id", "shell_id"},
    core::RenamedField{"WebFetch", "uri", "url"},
    core::RenamedField{"WebFetch", "start_index", "offset"},
};

constexpr std::array k_file_tools = {"Read", "Write", "Edit", "MultiEdit", "NotebookEdit"};
constexpr std::array k_path_fields = {"path", "absolute_path", "filename", "filepath"};

// Gemini CLI's switches over what is left out; our tools always leave ignored files out.
constexpr std::array k_dropped = {"respect_git_ignore", "respect_gemini_ignore",
                                  "file_filtering_options"};

bool drop(json& input, const char* field) {
  return input.erase(field) > 0;
}

bool rename_from(std::span<const core::RenamedField> table, std::string_view tool, json& input) {
  bool changed = false;
  for (const core::RenamedField& one : table) {
    const auto given = one.tool == tool ? input.find(one.given) : input.end();
    if (given == input.end()) continue;
    if (!input.contains(one.field)) input[one.field] = *given;
    changed = drop(input, one.given) || changed;
  }
  return changed;
}

// Fields whose values mean something else here.
bool translate_grep(std::string_view called, json& input) {
  bool changed = false;
  if (const auto sensitive = input.find("case_sensitive"); sensitive != input.end()) {
    if (*sensitive == false) input["-i"] = true;
    changed = drop(input, "case_sensitive");
  }
  if (const auto names_only = input.find("names_only"); names_only != input.end()) {
    if (!input.contains("output_mode")) {
      input["output_mode"] = *names_only == true ? "files_with_matches" : "content";
    }
    changed = drop(input, "names_only");
  }
  // Whoever calls it by Gemini CLI's names expects lines.
  if (called != "Grep" && !input.contains("output_mode")) {
    input["output_mode"] = "content";
    changed = true;
  }
  return changed;
}

std::string shell_quoted(const std::string& text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

// Gemini CLI's directory is for this call alone: a subshell, seen by whoever reads the command.
bool translate_bash(json& input) {
  const auto directory = input.find("directory");
  if (directory == input.end()) return false;
  const auto command = input.find("command");
  if (!directory->is_string() || command == input.end() || !command->is_string()) return false;
  if (const auto path = directory->get<std::string>(); !path.empty() && path != ".") {
    *command = "(cd -- " + shell_quoted(path) + " || exit; " + command->get<std::string>() + "\n)";
  }
  return drop(input, "directory");
}

std::optional<std::int64_t> integer(const json& input, const char* field) {
  const auto found = input.find(field);
  if (found == input.end() || !found->is_number()) return std::nullopt;
  const double number = found->get<double>();
  constexpr double k_largest = 1e15;
  if (!(number > -k_largest && number < k_largest)) return std::nullopt;
  return static_cast<std::int64_t>(number);
}

// Gemini CLI's read_file counted lines from 0 as long as it called the file `absolute_path`, and
// has `start_line` and `end_line`, from 1, today.
bool translate_read(std::string_view called, bool old_fields, json& input) {
  bool changed = false;
  const auto start = integer(input, "start_line");
  const auto end = integer(input, "end_line");
  if (start && !input.contains("offset")) input["offset"] = *start;
  if (end && !input.contains("limit") && *end >= start.value_or(1)) {
    input["limit"] = *end - start.value_or(1) + 1;
  }
  if (start) changed = drop(input, "start_line") || changed;
  if (end) changed = drop(input, "end_line") || changed;
  const auto offset = integer(input, "offset");
  if (called == "read_file" && old_fields && offset && !start) {
    input["offset"] = *offset + 1;
    changed = true;
  }
  return changed;
}

// More than one occurrence expected is Edit's replace_all; one is what it expects anyway.
bool translate_edit(json& input) {
  bool changed = drop(input, "instruction");
  if (const auto expected = integer(input, "expected_replacements")) {
    if (*expected > 1 && !input.contains("replace_all")) input["replace_all"] = true;
    changed = drop(input, "expected_replacements") || changed;
  }
  return changed;
}

bool translate_todos(json& input) {
  const auto todos = input.find("todos");
  return todos != input.end() && core::translate_todos(*todos);
}

// Some models send the array as a text.
bool translate_edits(json& input) {
  const auto edits = input.find("edits");
  if (edits == input.end() || !edits->is_string()) return false;
  const auto& text = edits->get_ref<const std::string&>();
  constexpr int k_deepest = 8;
  if (!check_json(text, k_deepest).ok()) return false;
  json parsed = read_json(text);
  if (!parsed.is_array()) return false;
  *edits = std::move(parsed);
  return true;
}

bool translate_file_tool(std::string_view called, std::string_view tool, json& input) {
  const bool old_fields = input.contains("absolute_path");
  const char* path = tool == "NotebookEdit" ? "notebook_path" : "file_path";
  bool changed = false;
  for (const char* given : k_path_fields) {
    if (!input.contains(given)) continue;
    if (!input.contains(path)) input[path] = input[given];
    changed = drop(input, given) || changed;
  }
  if (tool == "Read") changed = translate_read(called, old_fields, input) || changed;
  if (tool == "Edit") changed = translate_edit(input) || changed;
  if (tool == "MultiEdit") changed = translate_edits(input) || changed;
  return changed;
}

// Gemini CLI's names its addresses in the prompt, up to 20 of them.
bool take_url_from_prompt(json& input) {
  const auto prompt = input.find("prompt");
  if (input.contains("url") || prompt == input.end() || !prompt->is_string()) return false;
  const auto urls = web::urls_in(prompt->get_ref<const std::string&>());
  if (urls.empty()) return false;
  input["url"] = urls.front();
  return true;
}

}  // namespace

std::string_view tool_name_for(std::string_view called) {
  return core::tool_name_for(called);
}

bool rename_fields(std::string_view called, json& input) {
  const std::string_view tool = tool_name_for(called);
  bool changed = rename_from(core::gemini_cli_fields(), tool, input);
  changed = rename_from(k_fields, tool, input) || changed;
  if (std::find(k_file_tools.begin(), k_file_tools.end(), tool) != k_file_tools.end()) {
    changed = translate_file_tool(called, tool, input) || changed;
  }
  if (tool == "Grep") changed = translate_grep(called, input) || changed;
  if (tool == "TodoWrite") changed = translate_todos(input) || changed;
  if (tool == "Bash") changed = translate_bash(input) || changed;
  // Whoever asks for a task's output by this name expects to wait for it.
  if (called == "TaskOutput" && !input.contains("block")) changed = input["block"] = true;
  if (tool == "Glob" || tool == "LS" || tool == "Grep") {
    for (const char* field : k_dropped) changed = drop(input, field) || changed;
  }
  if (tool == "WebFetch") {
    for (const char* field : {"max_length", "raw"}) changed = drop(input, field) || changed;
  }
  if (tool == "WebFetch") changed = take_url_from_prompt(input) || changed;
  if (tool == "Glob") changed = drop(input, "case_sensitive") || changed;
  return changed;
}

}  // namespace yume::tools
