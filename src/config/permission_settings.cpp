// SPDX-License-Identifier: MIT
#include "config/permission_settings.h"

#include "config/repeated_key.h"
#include "util/ascii.h"
#include "util/json_tree.h"
#include "util/nearest_word.h"

#include <algorithm>
#include <array>
#include <string_view>
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
  if (list == object.end()) return texts;
  const bool restricts = key == std::string_view("deny") || key == std::string_view("ask");
  if (list->is_null() && !restricts) return texts;
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
Result<bool> read_disabled(const Json& object, const char* key) {
  const auto value = object.find(key);
  if (value == object.end() || value->is_null()) return false;
  if (value->is_boolean()) return value->get<bool>();
  if (value->is_string() && value->get<std::string>() == "disable") return true;
  if (value->is_string() && value->get<std::string>() == "enable") return false;
  return wrong("permissions." + std::string(key) + " is neither \"disable\" nor true");
}

// Keys that restrict nothing of ours, whatever their names sound like.
constexpr std::array<std::string_view, 6> k_known = {"allow",
                                                     "additionalDirectories",
                                                     "disableAutoMode",
                                                     "autoMode",
                                                     "skipDangerousModePermissionPrompt",
                                                     "skipAutoPermissionPrompt"};
constexpr std::array<std::string_view, 4> k_restricting = {"deny", "ask", "defaultMode",
                                                           "disableBypassPermissionsMode"};

bool among(const auto& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool promises_restriction(std::string_view key) {
  constexpr std::array<std::string_view, 9> k_words = {
      "deny", "denied", "disallow", "forbid", "block", "restrict", "disable", "exclude", "protect"};
  const std::string lower = ascii_lower(key);
  return std::any_of(k_words.begin(), k_words.end(), [&lower](std::string_view word) {
    return lower.find(word) != std::string::npos;
  });
}

// A restriction that is not understood is an error, never silence.
Result<void> check_keys(const Json& object) {
  for (const auto& [key, value] : object.items()) {
    if (among(k_known, key) || among(k_restricting, key)) continue;
    const auto meant = nearest_word(key, {k_restricting.begin(), k_restricting.end()});
    if (!meant && !promises_restriction(key)) continue;
    return wrong("permissions." + key + " is not known, and nothing would keep what it says" +
                 (meant ? "; did you mean '" + *meant + "'?" : ""));
  }
  return {};
}

}  // namespace

bool PermissionSettings::empty() const {
  return rules.deny.empty() && rules.ask.empty() && rules.allow.empty() && !default_mode &&
         directories.empty() && !disables_bypass;
}

Result<PermissionSettings> parse_permission_settings(const RawJson& permissions) {
  const Json object = read_ordered_json(permissions.text);
  if (!object.is_object()) return wrong("permissions is not an object");
  if (const auto known = check_keys(object); !known.ok()) return known.error();
  PermissionSettings settings;
  for (const RuleEffect effect : {RuleEffect::deny, RuleEffect::ask, RuleEffect::allow}) {
    if (const auto read = read_rules(object, effect, settings); !read.ok()) return read.error();
  }
  if (const auto read = read_mode(object, settings); !read.ok()) return read.error();
  YUME_TRY(settings.directories, texts_in(object, "additionalDirectories"));
  YUME_TRY(settings.disables_bypass, read_disabled(object, "disableBypassPermissionsMode"));
  return settings;
}

Result<void> check_for_misplaced_rules(const std::vector<std::string>& keys) {
  constexpr std::array<std::string_view, 10> k_rules = {
      "deny", "denied",   "denytools",       "deniedtools",  "disallow",
      "ask",  "asktools", "disallowedtools", "excludetools", "disablebypasspermissionsmode"};
  for (const std::string& key : keys) {
    std::string name = ascii_lower(key);
    std::erase_if(name, [](char c) { return c == '_' || c == '-'; });
    if (key == "permissions") continue;
    if (among(k_rules, name)) {
      return wrong("'" + key + "' has no effect here: rules belong into 'permissions'");
    }
    if (nearest_word(name, {"permissions"})) {
      return wrong("'" + key + "' is not known, and may hold denials; did you mean 'permissions'?");
    }
  }
  return {};
}

Result<PermissionSettings> parse_permissions_of_file(std::string_view text) {
  if (const auto valid = check_json(text); !valid.ok()) return wrong(valid.error().message);
  const Json json = read_ordered_json(text);
  if (!json.is_object()) return wrong("not a JSON object");
  std::vector<std::string> keys;
  for (const auto& [name, value] : json.items()) keys.push_back(name);
  if (const auto placed = check_for_misplaced_rules(keys); !placed.ok()) return placed.error();
  if (const auto once = check_for_repeated_keys(text); !once.ok()) return once.error();
  const auto key = json.find("permissions");
  if (key == json.end() || key->is_null()) return PermissionSettings{};
  return parse_permission_settings(RawJson{write_json(*key)});
}

}  // namespace yume::config
