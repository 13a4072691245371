// SPDX-License-Identifier: MIT
#include "tools/aliases.h"

#include "tools/web/prompt_urls.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace yume::tools {
namespace {

using nlohmann::json;

struct NameAlias {
  std::string_view called;
  std::string_view name;
};

constexpr std::array k_names = {
    NameAlias{"glob", "Glob"},
    NameAlias{"find_files", "Glob"},
    NameAlias{"grep", "Grep"},
    NameAlias{"grep_search", "Grep"},
    NameAlias{"search_file_content", "Grep"},
    NameAlias{"ls", "LS"},
    NameAlias{"list_directory", "LS"},
    NameAlias{"web_fetch", "WebFetch"},
    NameAlias{"fetch", "WebFetch"},
    NameAlias{"google_web_search", "WebSearch"},
    NameAlias{"web_search", "WebSearch"},
};

struct FieldAlias {
  std::string_view tool;
  const char* given;
  const char* field;
};

constexpr std::array k_fields = {
    FieldAlias{"Glob", "dir_path", "path"},
    FieldAlias{"Grep", "dir_path", "path"},
    FieldAlias{"Grep", "include", "glob"},
    FieldAlias{"Grep", "include_pattern", "glob"},
    FieldAlias{"Grep", "before", "-B"},
    FieldAlias{"Grep", "after", "-A"},
    FieldAlias{"Grep", "total_max_matches", "head_limit"},
    FieldAlias{"LS", "dir_path", "path"},
    FieldAlias{"WebFetch", "uri", "url"},
    FieldAlias{"WebFetch", "start_index", "offset"},
};

// Gemini CLI's switches over what is left out; our tools always leave ignored files out.
constexpr std::array k_dropped = {"respect_git_ignore", "respect_gemini_ignore",
                                  "file_filtering_options"};

bool drop(json& input, const char* field) {
  return input.erase(field) > 0;
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
  const auto* found = std::find_if(k_names.begin(), k_names.end(),
                                   [called](const NameAlias& one) { return one.called == called; });
  return found == k_names.end() ? called : found->name;
}

bool rename_fields(std::string_view called, json& input) {
  const std::string_view tool = tool_name_for(called);
  bool changed = false;
  for (const FieldAlias& alias : k_fields) {
    const auto given = alias.tool == tool ? input.find(alias.given) : input.end();
    if (given == input.end()) continue;
    if (!input.contains(alias.field)) input[alias.field] = *given;
    changed = drop(input, alias.given) || changed;
  }
  if (tool == "Grep") changed = translate_grep(called, input) || changed;
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
