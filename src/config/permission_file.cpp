// SPDX-License-Identifier: MIT
#include "config/permission_file.h"

#include "config/permission_settings.h"
#include "util/json_tree.h"
#include "util/overloaded.h"

#include <algorithm>
#include <vector>

namespace yume::config {
namespace {

using Json = nlohmann::ordered_json;

Json& member(Json& object, const std::string& key, const Json& empty) {
  Json& value = object[key];
  if (value.is_null()) value = empty;
  return value;
}

void add(Json& list, const std::vector<std::string>& texts) {
  for (const std::string& text : texts) {
    if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
  }
}

void remove(Json& list, const std::vector<std::string>& texts) {
  Json kept = Json::array();
  for (const Json& one : list) {
    // Not std::find: a string has no comparison with JSON in Apple's library.
    const bool gone = std::any_of(texts.begin(), texts.end(),
                                  [&one](const std::string& text) { return one == text; });
    if (!gone) kept.push_back(one);
  }
  list = std::move(kept);
}

void change_rules(Json& list, const core::RulesUpdate& update) {
  switch (update.change) {
    case core::RulesUpdate::Change::replace:
      list = Json::array();
      [[fallthrough]];
    case core::RulesUpdate::Change::add:
      return add(list, update.rules);
    case core::RulesUpdate::Change::remove:
      return remove(list, update.rules);
  }
}

}  // namespace

Result<std::string> with_permission_update(std::string_view text,
                                           const core::PermissionUpdate& update) {
  const bool is_new = text.find_first_not_of(" \t\r\n") == std::string_view::npos;
  if (!is_new) {
    // Also checks that every list is one.
    if (const auto readable = parse_permissions_of_file(text); !readable.ok()) {
      return readable.error();
    }
  }
  Json file = is_new ? Json::object() : read_ordered_json(text);
  Json& permissions = member(file, "permissions", Json::object());
  std::visit(Overloaded{
                 [&](const core::RulesUpdate& rules) {
                   change_rules(member(permissions, rules.effect, Json::array()), rules);
                 },
                 [&](const core::ModeUpdate& mode) {
                   permissions["defaultMode"] = core::to_string(mode.mode);
                 },
                 [&](const core::DirectoriesUpdate& directories) {
                   Json& list = member(permissions, "additionalDirectories", Json::array());
                   directories.adds ? add(list, directories.directories)
                                    : remove(list, directories.directories);
                 },
             },
             update);
  return file.dump(2) + "\n";
}

}  // namespace yume::config
