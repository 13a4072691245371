// SPDX-License-Identifier: MIT
#include "golden/runner/standard_values.h"

#include <array>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>

namespace yume::golden {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::array<std::pair<std::string_view, StandardValue>, 6> k_names{{
    {"tools", StandardValue::tools},
    {"agents", StandardValue::agents},
    {"declarations", StandardValue::declarations},
    {"system_prompt", StandardValue::system_prompt},
    {"models", StandardValue::models},
    {"slash_commands", StandardValue::slash_commands},
}};

// Where request_text() puts the elements of these arrays.
constexpr std::size_t k_functions_column = 4;
constexpr std::size_t k_declarations_column = 10;

// The value at `pointer` of the JSON that the file's first line, or all of it, is.
Json value_at(const FileTree& tree, const std::string& file, const std::string& pointer) {
  const auto found = tree.find(file);
  std::string text = found == tree.end() ? "" : found->second.bytes;
  // A number that became a macro is no JSON any more.
  constexpr std::string_view k_pid = ":%{pid:1}";
  if (const auto pid = text.find(k_pid); pid != std::string::npos) {
    text.replace(pid, k_pid.size(), ":0");
  }
  const bool lines = file.ends_with(".ndjson");
  const Json json = Json::parse(lines ? text.substr(0, text.find('\n')) : text, nullptr,
                                /*allow_exceptions=*/false);
  const Json::json_pointer place(pointer);
  if (!json.is_discarded() && json.contains(place)) return json.at(place);
  throw std::runtime_error("it shows no value at " + pointer + " of " + file);
}

std::string without_ends(const std::string& text) {
  return text.substr(1, text.size() - 2);
}

// Hosts list the tool of subagents by its old name, the model calls it by the new one.
Json as_called(Json tools) {
  for (Json& tool : tools) {
    if (tool == "Task") tool = "Agent";
  }
  return tools;
}

// The elements of an array as a pretty-printed text has them, from the first one's first character
// to the last one's last.
std::string pretty_elements(const Json& array, std::size_t column) {
  std::string out;
  for (const Json& element : array) {
    if (!out.empty()) out += ",\n" + std::string(column, ' ');
    for (const char c : element.dump(2)) {
      out += c;
      if (c == '\n') out.append(column, ' ');
    }
  }
  return out;
}

}  // namespace

StandardValue standard_value(std::string_view name) {
  for (const auto& [known, value] : k_names) {
    if (known == name) return value;
  }
  throw std::runtime_error("no case can define `" + std::string(name) + "`");
}

std::vector<Literal> literals_of(StandardValue value, const FileTree& tree) {
  switch (value) {
    case StandardValue::tools: {
      const Json tools = value_at(tree, "stdout.ndjson", "/tools");
      return {{without_ends(tools.dump()), R"("%{tools}")"},
              {pretty_elements(as_called(tools), k_functions_column), R"("%{tools}")"}};
    }
    case StandardValue::agents: {
      const Json agents = value_at(tree, "stdout.ndjson", "/agents");
      return {{without_ends(agents.dump()), R"("%{agents}")"}};
    }
    case StandardValue::declarations: {
      const Json all = value_at(tree, "requests/01.json", "/body/tools/0/functionDeclarations");
      return {{pretty_elements(all, k_declarations_column), R"("%{declarations}")"}};
    }
    case StandardValue::system_prompt: {
      const Json text = value_at(tree, "requests/01.json", "/body/systemInstruction/parts/0/text");
      return {{without_ends(text.dump()), "%{system_prompt}"}};
    }
    case StandardValue::models: {
      const Json models = value_at(tree, "stdout.ndjson", "/response/response/models");
      return {{without_ends(models.dump()), R"("%{models}")"}};
    }
    case StandardValue::slash_commands: {
      const Json commands = value_at(tree, "stdout.ndjson", "/slash_commands");
      return {{without_ends(commands.dump()), R"("%{slash_commands}")"}};
    }
  }
  return {};
}

std::string with_macros(std::string text, const std::vector<Literal>& values) {
  for (const Literal& value : values) {
    if (value.text.empty()) continue;
    for (std::size_t at = text.find(value.text); at != std::string::npos;
         at = text.find(value.text, at + value.macro.size())) {
      text.replace(at, value.text.size(), value.macro);
    }
  }
  return text;
}

}  // namespace yume::golden
