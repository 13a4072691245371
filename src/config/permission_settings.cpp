// SPDX-License-Identifier: MIT
#include "config/permission_settings.h"

#include "util/json_tree.h"

#include <utility>

namespace yume::config {
namespace {

using Json = nlohmann::ordered_json;
using permissions::RuleEffect;

Error wrong(std::string message) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(message)};
}

Result<std::vector<std::string>> texts_in(const Json& object, const char* key) {
  std::vector<std::string> texts;
  const auto list = object.find(key);
  if (list == object.end() || list->is_null()) return texts;
  if (!list->is_array()) return wrong("permissions." + std::string(key) + " is not a list");
  for (const Json& one : *list) {
    if (!one.is_string()) {
      return wrong("permissions." + std::string(key) +
                   " has an entry that is not a string: " + write_json(one).substr(0, 100));
    }
    texts.push_back(one.get<std::string>());
  }
  return texts;
}

Result<void> read_rules(const Json& object, RuleEffect effect, PermissionSettings& settings) {
  const std::string key(to_string(effect));
  YUME_TRY(const std::vector<std::string> texts, texts_in(object, key.c_str()));
  for (const std::string& text : texts) {
    auto rule = permissions::parse_rule(text, effect);
    if (rule.ok()) {
      settings.rules.of(effect).push_back(std::move(rule).value());
    } else if (effect == RuleEffect::allow) {
      settings.ignored.push_back(rule.error().message);
    } else {
      return wrong("permissions." + key + ": " + rule.error().message);
    }
  }
  return {};
}

Result<void> read_mode(const Json& object, PermissionSettings& settings) {
  const auto mode = object.find("defaultMode");
  if (mode == object.end() || mode->is_null()) return {};
  if (mode->is_string()) {
    settings.default_mode = core::permission_mode_from(mode->get<std::string>());
  }
  if (settings.default_mode) return {};
  return wrong(
      "permissions.defaultMode is not default, acceptEdits, plan, dontAsk or bypassPermissions");
}

// Claude writes "disable"; a plain true means the same.
bool is_disabled(const Json& object, const char* key) {
  const auto value = object.find(key);
  if (value == object.end()) return false;
  return value->is_string() ? value->get<std::string>() == "disable"
                            : value->is_boolean() && value->get<bool>();
}

}  // namespace

bool PermissionSettings::empty() const {
  return rules.deny.empty() && rules.ask.empty() && rules.allow.empty() && !default_mode &&
         directories.empty() && !disables_bypass;
}

Result<PermissionSettings> parse_permission_settings(const RawJson& permissions) {
  const Json object = read_ordered_json(permissions.text);
  if (!object.is_object()) return wrong("permissions is not an object");
  PermissionSettings settings;
  for (const RuleEffect effect : {RuleEffect::deny, RuleEffect::ask, RuleEffect::allow}) {
    if (const auto read = read_rules(object, effect, settings); !read.ok()) return read.error();
  }
  if (const auto read = read_mode(object, settings); !read.ok()) return read.error();
  YUME_TRY(settings.directories, texts_in(object, "additionalDirectories"));
  settings.disables_bypass = is_disabled(object, "disableBypassPermissionsMode");
  return settings;
}

Result<PermissionSettings> parse_permissions_of_file(std::string_view text) {
  if (const auto valid = check_json(text); !valid.ok()) return wrong(valid.error().message);
  const Json json = read_ordered_json(text);
  if (!json.is_object()) return wrong("not a JSON object");
  const auto key = json.find("permissions");
  if (key == json.end() || key->is_null()) return PermissionSettings{};
  return parse_permission_settings(RawJson{write_json(*key)});
}

}  // namespace yume::config
