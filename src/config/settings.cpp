// SPDX-License-Identifier: MIT
#include "config/settings.h"

#include "config/repeated_key.h"
#include "util/byte_size.h"
#include "util/decimal.h"
#include "util/json_tree.h"

#include <charconv>
#include <filesystem>
#include <utility>

namespace yume::config {
namespace {

using Json = nlohmann::ordered_json;

Error wrong(std::string message) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(message)};
}

// A number may be written as one or as text.
std::string text_of(const Json& value) {
  return value.is_string() ? value.get<std::string>() : write_json(value);
}

// By the same function as the flag's text, so that both know the same names.
Result<void> add_mapping(const std::string& name, const Json& id, gemini::ModelMap& map) {
  if (!id.is_string()) return wrong("modelMap." + name + " is not a string");
  auto entry = gemini::parse_model_map(name + "=" + id.get<std::string>());
  if (!entry.ok() || entry->size() != 1) {
    return wrong("modelMap." + name + " is not a model's name");
  }
  entry->merge(map);  // what is said later counts
  map = std::move(*entry);
  return {};
}

Result<void> read_model_map(const Json& map, Settings& settings) {
  if (!map.is_object()) return wrong("modelMap is not an object");
  for (const auto& [name, id] : map.items()) {
    if (auto added = add_mapping(name, id, settings.model_map); !added.ok()) return added.error();
  }
  return {};
}

Result<void> read_model(const Json& model, Settings& settings) {
  if (!model.is_string() || model.get<std::string>().empty()) {
    return wrong("model is not a model's name, such as \"gemini-pro\" or \"sonnet\"");
  }
  settings.model = model.get<std::string>();
  return {};
}

Result<void> read_dialect(const Json& name, Settings& settings) {
  const std::string text = text_of(name);
  if (text != "yume" && text != "yume-app" && text != "claude") {
    return wrong("dialect is not yume, yume-app or claude");
  }
  settings.dialect = text;
  return {};
}

// A switch, too: true and false.
Result<void> read_live_text(const Json& value, Settings& settings) {
  std::string text = text_of(value);
  if (value.is_boolean()) text = value.get<bool>() ? "on" : "off";
  settings.live_text = parse_live_text(text);
  if (settings.live_text) return {};
  return wrong("liveText is not on, off or a number of milliseconds up to 60000");
}

// A program that is run: where it lies must not depend on the working directory.
Result<void> read_gcloud_path(const Json& path, Settings& settings) {
  if (!path.is_string() || !std::filesystem::path(path.get<std::string>()).is_absolute()) {
    return wrong("gcloudPath is not the absolute path of a program");
  }
  settings.gcloud_path = path.get<std::string>();
  return {};
}

Result<void> read_compact_threshold(const Json& share, Settings& settings) {
  settings.compact_threshold = parse_share(text_of(share));
  if (settings.compact_threshold) return {};
  return wrong("compactThreshold is not a share of the window between 10% and 95%");
}

Result<void> read_max_message_size(const Json& size, Settings& settings) {
  settings.max_message_bytes = parse_message_size(text_of(size));
  if (settings.max_message_bytes) return {};
  return wrong("maxMessageSize is not a size between 1K and 1G, such as \"64M\"");
}

Result<void> read_models(const Json& rows, Settings& settings) {
  settings.models = RawJson{write_json(rows)};
  const auto tried = gemini::ModelCatalog::built_in().with_rows(*settings.models);
  if (!tried.ok()) return wrong("models: " + tried.error().message);
  return {};
}

Result<void> read_hooks(const Json& hooks, Settings& settings) {
  auto read = hooks::parse_hook_settings(RawJson{write_json(hooks)});
  if (!read.ok()) return wrong(read.error().message);
  settings.hooks = std::move(read).value();
  return {};
}

// Takes blanks and this character off the front; false: it does not come next.
bool take(std::string_view& text, char wanted) {
  const std::size_t at = text.find_first_not_of(" \t\r\n");
  if (at == text.npos || text[at] != wanted) return false;
  text.remove_prefix(at + 1);
  return true;
}

Result<void> read_permissions(const Json& permissions, Settings& settings) {
  if (permissions.is_null()) return {};
  auto read = parse_permission_settings(RawJson{write_json(permissions)});
  if (!read.ok()) return wrong(read.error().message);
  settings.permissions = std::move(read).value();
  return {};
}

Result<void> read_sandbox(const Json& sandbox, Settings& settings) {
  if (sandbox.is_null()) return {};
  YUME_TRY(settings.sandbox, parse_sandbox_settings(RawJson{write_json(sandbox)}));
  return {};
}

// What each of them says is read when there is a session.
Result<void> read_servers(const Json& servers, Settings& settings) {
  if (servers.is_null()) return {};
  if (!servers.is_object()) return wrong("mcpServers: must be an object, by the servers' names");
  settings.mcp_servers = RawJson{write_json(servers)};
  return {};
}

struct Key {
  const char* name;
  Result<void> (*read)(const Json& value, Settings& settings);
};
constexpr Key k_keys[] = {
    {"model", read_model},
    {"gcloudPath", read_gcloud_path},
    {"dialect", read_dialect},
    {"liveText", read_live_text},
    {"modelMap", read_model_map},
    {"compactThreshold", read_compact_threshold},
    {"maxMessageSize", read_max_message_size},
    {"models", read_models},
    {"hooks", read_hooks},
    {"permissions", read_permissions},
    {"sandbox", read_sandbox},
    {"mcpServers", read_servers},
};

}  // namespace

Result<Settings> parse_settings(std::string_view text) {
  if (const auto valid = check_json(text); !valid.ok()) return wrong(valid.error().message);
  const Json json = read_ordered_json(text);
  if (!json.is_object()) return wrong("not a JSON object");
  std::vector<std::string> names;
  for (const auto& [name, value] : json.items()) names.push_back(name);
  if (const auto placed = check_for_misplaced_rules(names); !placed.ok()) {
    return wrong(placed.error().message);
  }
  if (const auto once = check_for_repeated_keys(text); !once.ok()) return once.error();
  Settings settings;
  for (const Key& key : k_keys) {
    const auto value = json.find(key.name);
    if (value == json.end()) continue;
    if (const auto read = key.read(*value, settings); !read.ok()) return read.error();
  }
  return settings;
}

std::optional<LiveText> parse_live_text(std::string_view text) {
  if (text == "on") return LiveText{};
  if (text == "off") return LiveText{.on = false};
  constexpr int k_longest_gap = 60'000;
  int gap = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), gap);
  if (failure != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (gap < 0 || gap > k_longest_gap) return std::nullopt;
  return LiveText{.gap = std::chrono::milliseconds(gap)};
}

std::optional<std::string> find_dialect(std::string_view text) {
  constexpr std::string_view k_key = "\"dialect\"";
  for (std::size_t at = text.find(k_key); at != text.npos; at = text.find(k_key, at + 1)) {
    std::string_view rest = text.substr(at + k_key.size());
    if (!take(rest, ':') || !take(rest, '"')) continue;
    return std::string(rest.substr(0, rest.find('"')));
  }
  return std::nullopt;
}

std::optional<double> parse_share(std::string_view text) {
  const bool percent = text.ends_with('%');
  if (percent) text.remove_suffix(1);
  const auto number = whole_decimal(text);
  if (!number) return std::nullopt;
  double value = *number;
  if (percent || value > 1) value /= 100;
  if (!(value >= 0.1 && value <= 0.95)) return std::nullopt;
  return value;
}

std::optional<std::size_t> parse_message_size(std::string_view text) {
  constexpr std::uint64_t k_least = 1U << 10U;
  constexpr std::uint64_t k_most = 1U << 30U;
  const auto bytes = parse_byte_size(text);
  if (!bytes || *bytes < k_least || *bytes > k_most) return std::nullopt;
  return static_cast<std::size_t>(*bytes);
}

}  // namespace yume::config
