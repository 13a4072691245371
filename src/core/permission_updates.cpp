// SPDX-License-Identifier: MIT
#include "core/permission_updates.h"

#include "util/json_tree.h"
#include "util/overloaded.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace yume::core {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::pair<UpdateDestination, std::string_view>, 4> k_destinations = {{
    {UpdateDestination::session, "session"},
    {UpdateDestination::local_settings, "localSettings"},
    {UpdateDestination::project_settings, "projectSettings"},
    {UpdateDestination::user_settings, "userSettings"},
}};

constexpr std::array<std::pair<RulesUpdate::Change, std::string_view>, 3> k_changes = {{
    {RulesUpdate::Change::add, "addRules"},
    {RulesUpdate::Change::replace, "replaceRules"},
    {RulesUpdate::Change::remove, "removeRules"},
}};

std::string_view name_of(const auto& table, auto value) {
  for (const auto& [entry, name] : table) {
    if (entry == value) return name;
  }
  return table.front().second;
}

// "cliArg", and what is not known, holds for this session.
UpdateDestination destination_of(const Json& update) {
  const std::string text = text_at(update, "destination");
  for (const auto& [destination, name] : k_destinations) {
    if (name == text) return destination;
  }
  return UpdateDestination::session;
}

void write_rule(std::string_view rule, JsonWriter& json) {
  const std::size_t open = rule.find('(');
  json.begin_object().field("toolName", rule.substr(0, open));
  if (open != std::string_view::npos) {
    json.field("ruleContent", rule.substr(open + 1, rule.size() - open - 2));
  }
  json.end_object();
}

std::optional<std::string> read_rule(const Json& rule) {
  if (rule.is_string()) return rule.get<std::string>();
  const std::string tool = rule.is_object() ? text_at(rule, "toolName") : "";
  if (tool.empty()) return std::nullopt;
  const std::string content = text_at(rule, "ruleContent");
  return content.empty() ? tool : tool + "(" + content + ")";
}

std::vector<std::string> texts_in(const Json& update, const char* member) {
  std::vector<std::string> out;
  const auto list = update.find(member);
  if (list == update.end() || !list->is_array()) return out;
  for (const Json& one : *list) {
    if (auto text = read_rule(one)) out.push_back(*std::move(text));
  }
  return out;
}

std::optional<PermissionUpdate> read_update(const Json& update) {
  const std::string type = text_at(update, "type");
  for (const auto& [change, name] : k_changes) {
    if (name != type) continue;
    if (text_at(update, "behavior").empty()) return std::nullopt;
    return RulesUpdate{.change = change,
                       .effect = text_at(update, "behavior"),
                       .rules = texts_in(update, "rules"),
                       .destination = destination_of(update)};
  }
  if (type == "setMode") {
    const auto mode = permission_mode_from(text_at(update, "mode"));
    if (!mode) return std::nullopt;
    return ModeUpdate{.mode = *mode, .destination = destination_of(update)};
  }
  if (type == "addDirectories" || type == "removeDirectories") {
    return DirectoriesUpdate{.adds = type == "addDirectories",
                             .directories = texts_in(update, "directories"),
                             .destination = destination_of(update)};
  }
  return std::nullopt;
}

}  // namespace

void write_permission_update(const PermissionUpdate& update, JsonWriter& json) {
  json.begin_object();
  std::visit(Overloaded{
                 [&](const RulesUpdate& rules) {
                   json.field("type", name_of(k_changes, rules.change)).key("rules").begin_array();
                   for (const std::string& rule : rules.rules) write_rule(rule, json);
                   json.end_array().field("behavior", rules.effect);
                   json.field("destination", name_of(k_destinations, rules.destination));
                 },
                 [&](const ModeUpdate& mode) {
                   json.field("type", "setMode").field("mode", to_string(mode.mode));
                   json.field("destination", name_of(k_destinations, mode.destination));
                 },
                 [&](const DirectoriesUpdate& directories) {
                   json.field("type", directories.adds ? "addDirectories" : "removeDirectories");
                   json.key("directories").begin_array();
                   for (const std::string& one : directories.directories) json.string(one);
                   json.end_array();
                   json.field("destination", name_of(k_destinations, directories.destination));
                 },
             },
             update);
  json.end_object();
}

std::vector<PermissionUpdate> read_permission_updates(const Json& answer) {
  std::vector<PermissionUpdate> out;
  const auto updates = answer.find("updatedPermissions");
  if (updates == answer.end() || !updates->is_array()) return out;
  for (const Json& update : *updates) {
    if (!update.is_object()) continue;
    if (auto read = read_update(update)) out.push_back(*std::move(read));
  }
  return out;
}

}  // namespace yume::core
