// SPDX-License-Identifier: MIT
#include "permissions/parameter_rule.h"

#include "util/glob_match.h"
#include "util/json_tree.h"

#include <algorithm>
#include <array>
#include <string>

namespace yume::permissions {
namespace {

// Rules for these have a form of their own.
constexpr std::array<std::string_view, 6> k_main_fields = {"command", "file_path", "path",
                                                           "pattern", "url",       "domain"};

bool is_field_name(std::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  });
}

}  // namespace

bool matches_parameter(std::string_view spec, const core::ToolCall& call) {
  const std::size_t colon = spec.find(':');
  if (colon == std::string_view::npos) return false;
  const std::string_view name = spec.substr(0, colon);
  const bool is_main =
      std::find(k_main_fields.begin(), k_main_fields.end(), name) != k_main_fields.end();
  if (!is_field_name(name) || is_main) return false;
  if (!check_json(call.input.text).ok()) return false;
  const nlohmann::json input = read_json(call.input.text);
  const auto field = input.is_object() ? input.find(std::string(name)) : input.end();
  if (field == input.end() || field->is_structured()) return false;
  const std::string value = field->is_string() ? field->get<std::string>() : field->dump();
  return wildcard_match(spec.substr(colon + 1), value);
}

bool matches_skill(std::string_view spec, const core::ToolCall& call) {
  if (call.name != "Skill" || !check_json(call.input.text).ok()) return false;
  const nlohmann::json input = read_json(call.input.text);
  const std::string name = input.is_object() ? text_at(input, "skill") : "";
  const std::string_view bare = std::string_view(name).substr(name.starts_with('/') ? 1 : 0);
  return wildcard_match(spec, bare);
}

}  // namespace yume::permissions
