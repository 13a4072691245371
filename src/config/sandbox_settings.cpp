// SPDX-License-Identifier: MIT
#include "config/sandbox_settings.h"

#include "permissions/rule.h"
#include "util/json_tree.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace yume::config {
namespace {

using Json = nlohmann::ordered_json;
using Strings = std::vector<std::string>;

constexpr std::array<std::pair<SandboxMode, std::string_view>, 3> k_modes = {
    {{SandboxMode::off, "off"},
     {SandboxMode::workspace_write, "workspace-write"},
     {SandboxMode::read_only, "read-only"}}};

Error wrong(const std::string& key, const std::string& what) {
  return {.code = ErrorCode::invalid_argument, .message = "sandbox." + key + " " + what};
}

Result<bool> read_switch(const std::string& key, const Json& value) {
  if (!value.is_boolean()) return wrong(key, "is not true or false");
  return value.get<bool>();
}

Result<Strings> read_list(const std::string& key, const Json& value) {
  if (!value.is_array()) return wrong(key, "is not a list");
  Strings list;
  for (const Json& entry : value) {
    if (!entry.is_string() || entry.get<std::string>().empty()) {
      return wrong(key, "has an entry that is not a text");
    }
    list.push_back(entry.get<std::string>());
  }
  return list;
}

// A wall knows files and whole folders. A pattern that nobody matches would protect nothing.
Result<Strings> read_paths(const std::string& key, const Json& value) {
  YUME_TRY(Strings paths, read_list(key, value));
  for (std::string& path : paths) {
    if (path.ends_with("/**")) path.resize(path.size() - 3);
    if (path.empty() || path.find_first_of("*?[") != std::string::npos) {
      return wrong(key, "has a pattern; name the file or the folder itself");
    }
    if (path.starts_with('~') && path != "~" && !path.starts_with("~/")) {
      return wrong(key, "names the home folder of somebody else");
    }
  }
  return paths;
}

// Somebody relies on it.
bool promises_restriction(std::string_view name) {
  constexpr std::array<std::string_view, 9> k_words = {
      "deny", "denied", "disallow", "forbid", "block", "restrict", "only", "disable", "isolat"};
  std::string lower(name);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  const bool weakens = lower.find("weaker") != std::string::npos;
  return !weakens && std::any_of(k_words.begin(), k_words.end(), [&lower](std::string_view word) {
    return lower.find(word) != std::string::npos;
  });
}

Result<void> read_unknown(const std::string& key, SandboxSettings& settings) {
  if (promises_restriction(key)) {
    return wrong(key, "is not known, and its name promises a restriction (docs/sandbox.md)");
  }
  settings.not_known.push_back("sandbox." + key);
  return {};
}

// They are read as those of permission rules are, and must be as well formed.
Result<Strings> read_commands(const std::string& key, const Json& value) {
  YUME_TRY(Strings patterns, read_list(key, value));
  for (const std::string& pattern : patterns) {
    const auto rule =
        permissions::parse_rule("Bash(" + pattern + ")", permissions::RuleEffect::ask);
    if (!rule.ok()) return wrong(key, "has an entry that is no command: " + rule.error().message);
  }
  return patterns;
}

struct ListKey {
  std::string_view name;
  Strings SandboxSettings::*list;
};

Result<void> read_filesystem(const Json& json, SandboxSettings& settings) {
  constexpr std::array<ListKey, 4> k_keys = {{{"allowWrite", &SandboxSettings::allow_write},
                                              {"denyWrite", &SandboxSettings::deny_write},
                                              {"allowRead", &SandboxSettings::allow_read},
                                              {"denyRead", &SandboxSettings::deny_read}}};
  if (!json.is_object()) return wrong("filesystem", "is not an object");
  for (const auto& [name, value] : json.items()) {
    const std::string key = "filesystem." + name;
    bool is_known = false;
    for (const ListKey& known : k_keys) {
      if (name != known.name) continue;
      YUME_TRY(settings.*known.list, read_paths(key, value));
      is_known = true;
    }
    if (is_known) continue;
    if (const auto read = read_unknown(key, settings); !read.ok()) return read;
  }
  return {};
}

bool names_hosts(std::string_view name) {
  constexpr std::array<std::string_view, 5> k_names = {"allowedDomains", "deniedDomains",
                                                       "allowManagedDomainsOnly", "httpProxyPort",
                                                       "socksProxyPort"};
  return std::find(k_names.begin(), k_names.end(), name) != k_names.end();
}

Result<void> read_network(const Json& json, SandboxSettings& settings) {
  if (!json.is_object()) return wrong("network", "is not an object");
  for (const auto& [name, value] : json.items()) {
    const std::string key = "network." + name;
    if (name == "allowed") {
      YUME_TRY(const bool allowed, read_switch(key, value));
      settings.denies_network = !allowed;
    } else if (name == "allowUnixSockets") {
      YUME_TRY(settings.allow_sockets, read_paths(key, value));
    } else if (name == "allowAllUnixSockets") {
      YUME_TRY(settings.allow_all_sockets, read_switch(key, value));
    } else if (names_hosts(name)) {
      settings.limits_domains = true;
    } else if (name != "allowLocalBinding") {  // nobody forbids that
      if (const auto read = read_unknown(key, settings); !read.ok()) return read;
    }
  }
  return {};
}

Result<void> read_key(const std::string& name, const Json& value, SandboxSettings& settings) {
  if (name == "enabled") {
    YUME_TRY(settings.enabled, read_switch(name, value));
  } else if (name == "autoAllowBashIfSandboxed") {
    YUME_TRY(settings.auto_allow_bash, read_switch(name, value));
  } else if (name == "failIfUnavailable") {
    YUME_TRY(settings.must_be_there, read_switch(name, value));
  } else if (name == "excludedCommands") {
    YUME_TRY(settings.excluded_commands, read_commands(name, value));
  } else if (name == "filesystem") {
    return read_filesystem(value, settings);
  } else if (name == "network") {
    return read_network(value, settings);
  } else if (name == "allowUnsandboxedCommands") {
    // Whether the model may ask for a command without a sandbox: here it never gets one.
    YUME_TRY([[maybe_unused]] const bool allowed, read_switch(name, value));
  } else {
    return read_unknown(name, settings);
  }
  return {};
}

void append(Strings& list, const Strings& more) {
  list.insert(list.end(), more.begin(), more.end());
}

}  // namespace

std::string_view to_string(SandboxMode mode) {
  for (const auto& [known, name] : k_modes) {
    if (known == mode) return name;
  }
  return "off";
}

std::optional<SandboxMode> sandbox_mode_from(std::string_view text) {
  for (const auto& [mode, name] : k_modes) {
    if (name == text) return mode;
  }
  return std::nullopt;
}

void SandboxSettings::add(const SandboxSettings& later) {
  if (later.enabled) enabled = later.enabled;
  if (later.auto_allow_bash) auto_allow_bash = later.auto_allow_bash;
  must_be_there = must_be_there || later.must_be_there;
  append(excluded_commands, later.excluded_commands);
  append(allow_write, later.allow_write);
  append(deny_write, later.deny_write);
  append(allow_read, later.allow_read);
  append(deny_read, later.deny_read);
  append(allow_sockets, later.allow_sockets);
  allow_all_sockets = allow_all_sockets || later.allow_all_sockets;
  denies_network = denies_network || later.denies_network;
  limits_domains = limits_domains || later.limits_domains;
  append(not_known, later.not_known);
  is_required = is_required || later.is_required;
}

Strings SandboxSettings::grants() const {
  Strings lines;
  const auto add_all = [&lines](const char* key, const Strings& list) {
    for (const std::string& entry : list) lines.push_back("sandbox " + std::string(key) + entry);
  };
  if (auto_allow_bash.value_or(false)) lines.emplace_back("sandbox autoAllowBashIfSandboxed");
  add_all("allowWrite ", allow_write);
  add_all("allowRead ", allow_read);
  add_all("allowUnixSockets ", allow_sockets);
  if (allow_all_sockets) lines.emplace_back("sandbox allowAllUnixSockets");
  return lines;
}

SandboxSettings SandboxSettings::restrictions() const {
  SandboxSettings kept = *this;
  if (kept.auto_allow_bash.value_or(false)) kept.auto_allow_bash.reset();
  kept.allow_write.clear();
  kept.allow_read.clear();
  kept.allow_sockets.clear();
  kept.allow_all_sockets = false;
  return kept;
}

Result<SandboxSettings> parse_sandbox_settings(const RawJson& json) {
  const Json value = read_ordered_json(json.text);
  if (!value.is_object()) {
    return Error{.code = ErrorCode::invalid_argument, .message = "sandbox is not an object"};
  }
  SandboxSettings settings;
  for (const auto& [name, entry] : value.items()) {
    if (const auto read = read_key(name, entry, settings); !read.ok()) return read.error();
  }
  return settings;
}

Result<SandboxSettings> parse_sandbox_of_file(std::string_view text) {
  const Json json = read_ordered_json(text);
  if (!json.is_object()) return SandboxSettings{};
  const auto key = json.find("sandbox");
  if (key == json.end() || key->is_null()) return SandboxSettings{};
  return parse_sandbox_settings(RawJson{write_json(*key)});
}

}  // namespace yume::config
