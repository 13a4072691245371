// SPDX-License-Identifier: MIT
#include "protocol/claude/settings_request.h"

#include "core/effort.h"
#include "util/json_tree.h"

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace yume::protocol {
namespace {

using nlohmann::json;

// How something looks, how fast it comes, or who is named in a commit: whoever sets them misses
// nothing here.
constexpr std::array<std::string_view, 11> k_without_effect = {"alwaysThinkingEnabled",
                                                               "attribution",
                                                               "fastMode",
                                                               "includeCoAuthoredBy",
                                                               "outputStyle",
                                                               "promptSuggestionEnabled",
                                                               "spinnerTipsEnabled",
                                                               "statusLine",
                                                               "theme",
                                                               "ultracode",
                                                               "verbose"};

core::Refused refused(const std::string& key, const std::string& why) {
  return {.why = "The setting " + key + " " + why + " Nothing was changed.",
          .code = "invalid_settings"};
}

using Problem = std::optional<core::Refused>;

Problem read_rules(const json& list, const std::string& effect, core::ApplySettings& settings) {
  const std::string key = "permissions." + effect;
  if (!list.is_array()) return refused(key, "is not a list.");
  core::RulesUpdate update{.effect = effect, .rules = {}};
  for (const json& rule : list) {
    if (!rule.is_string()) return refused(key, "has an entry that is no text.");
    update.rules.push_back(rule.get<std::string>());
  }
  if (!update.rules.empty()) settings.updates.emplace_back(std::move(update));
  return std::nullopt;
}

Problem read_directories(const json& list, core::ApplySettings& settings) {
  const std::string key = "permissions.additionalDirectories";
  if (!list.is_array()) return refused(key, "is not a list.");
  core::DirectoriesUpdate update{.adds = true, .directories = {}};
  for (const json& one : list) {
    if (!one.is_string()) return refused(key, "has an entry that is no text.");
    update.directories.push_back(one.get<std::string>());
  }
  if (!update.directories.empty()) settings.updates.emplace_back(std::move(update));
  return std::nullopt;
}

Problem read_permissions(const json& permissions, core::ApplySettings& settings) {
  if (!permissions.is_object()) return refused("permissions", "is not an object.");
  for (const auto& [key, value] : permissions.items()) {
    Problem problem;
    if (key == "allow" || key == "deny" || key == "ask") {
      problem = read_rules(value, key, settings);
    } else if (key == "additionalDirectories") {
      problem = read_directories(value, settings);
    } else if (key == "defaultMode" && value.is_string()) {
      settings.mode = core::permission_mode_from(value.get<std::string>());
      if (!settings.mode) problem = refused("permissions.defaultMode", "names no mode.");
    } else {
      problem = refused("permissions." + key, "cannot be changed while a session runs.");
    }
    if (problem) return problem;
  }
  return std::nullopt;
}

// Null: as the session began.
Problem read_effort(const json& value, core::ApplySettings& settings) {
  settings.thinking = core::SetThinking{};
  if (value.is_null()) return std::nullopt;
  if (value.is_string()) {
    settings.thinking->max_tokens = core::tokens_of_effort(value.get<std::string>());
  }
  if (settings.thinking->max_tokens) return std::nullopt;
  return refused("effortLevel", "is none of low, medium, high, xhigh and max.");
}

Problem read_setting(const std::string& key, const json& value, core::ApplySettings& settings) {
  if (key == "permissions") return read_permissions(value, settings);
  if (key == "model") {
    if (!value.is_null() && !value.is_string()) return refused(key, "is no name.");
    settings.model = value.is_string() ? value.get<std::string>() : std::string();
    if (*settings.model == "default") settings.model->clear();
    return std::nullopt;
  }
  if (key == "effortLevel") return read_effort(value, settings);
  // Takes back what a host has set before, and nothing else could be.
  if (value.is_null()) return std::nullopt;
  const bool no_effect =
      std::find(k_without_effect.begin(), k_without_effect.end(), key) != k_without_effect.end();
  if (no_effect) return std::nullopt;
  return refused(key, "cannot be changed while a session runs. Give it with --settings.");
}

}  // namespace

core::Command parse_settings_request(const json& request) {
  const auto found = request.find("settings");
  if (found == request.end() || !found->is_object()) {
    return core::Refused{.why = "settings is not an object.", .code = "invalid_settings"};
  }
  core::ApplySettings settings;
  for (const auto& [key, value] : found->items()) {
    if (auto problem = read_setting(key, value, settings)) return *std::move(problem);
  }
  return settings;
}

}  // namespace yume::protocol
