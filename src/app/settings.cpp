// SPDX-License-Identifier: MIT
#include "app/settings.h"

#include "app/options.h"

#include "util/json_io.h"
#include "util/json_tree.h"

#include <cstdint>
#include <string>
#include <utility>

namespace yume::app {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::uint64_t k_largest_file = 1U << 20U;

Error wrong(std::string message) {
  return {.code = ErrorCode::invalid_argument, .message = std::move(message)};
}

// Through the same door as the flag's text, so that both know the same names.
Result<void> add_mapping(const std::string& name, const Json& id, gemini::ModelMap& map) {
  if (!id.is_string()) return wrong("modelMap." + name + " is not a string");
  const std::string text = id.get<std::string>();
  auto entry = gemini::parse_model_map(name + "=" + text);
  if (!entry.ok() || entry->size() != 1)
    return wrong("modelMap." + name + " is not a model's name");
  entry->merge(map);  // what is said later counts
  map = std::move(*entry);
  return {};
}

Result<Settings> over_with_file(const std::filesystem::path& path,
                                const platform::FileSystem& files, Settings settings) {
  YUME_TRY(const std::string text, files.read(path, k_largest_file));
  auto read = parse_settings(text, std::move(settings));
  if (!read.ok()) return wrong(path.string() + ": " + read.error().message);
  return read;
}

}  // namespace

std::filesystem::path settings_file(const platform::Environment& environment) {
  constexpr const char* k_name = "settings.json";
  if (const auto directory = environment.get("YUME_CONFIG_DIR")) {
    return environment.cwd / *directory / k_name;
  }
  return environment.home.empty() ? std::filesystem::path() : environment.home / ".yume" / k_name;
}

Result<Settings> parse_settings(std::string_view text, Settings settings) {
  if (const auto valid = check_json(text); !valid.ok()) return wrong(valid.error().message);
  const Json json = read_ordered_json(text);
  if (!json.is_object()) return wrong("not a JSON object");
  if (const auto map = json.find("modelMap"); map != json.end()) {
    if (!map->is_object()) return wrong("modelMap is not an object");
    for (const auto& [name, id] : map->items()) {
      if (auto added = add_mapping(name, id, settings.model_map); !added.ok()) return added.error();
    }
  }
  if (const auto share = json.find("compactThreshold"); share != json.end()) {
    const auto read =
        parse_share(share->is_string() ? share->get<std::string>() : write_json(*share));
    if (!read) return wrong("compactThreshold is not a share of the window between 10% and 95%");
    settings.compact_threshold = read;
  }
  if (const auto rows = json.find("models"); rows != json.end()) {
    const auto& base = settings.catalog ? *settings.catalog : gemini::ModelCatalog::built_in();
    auto catalog = base.with_rows(RawJson{write_json(*rows)});
    if (!catalog.ok()) return wrong("models: " + catalog.error().message);
    settings.catalog = std::move(catalog).value();
  }
  if (const auto hooks = json.find("hooks"); hooks != json.end()) {
    auto read = hooks::parse_hook_settings(RawJson{write_json(*hooks)});
    if (!read.ok()) return wrong(read.error().message);
    settings.hooks.append(std::move(read).value());
  }
  return settings;
}

std::filesystem::path model_cache(const platform::Environment& environment) {
  if (const auto cache = environment.get("XDG_CACHE_HOME")) {
    return std::filesystem::path(*cache) / "yume-cli" / "models";
  }
  if (environment.home.empty()) return {};
  return environment.home / ".cache" / "yume-cli" / "models";
}

Result<Settings> read_settings(const platform::FileSystem& files,
                               const platform::Environment& environment, const SettingsWish& wish) {
  Settings settings;
  if (const std::filesystem::path path = settings_file(environment); !path.empty()) {
    auto read = over_with_file(path, files, settings);
    if (!read.ok() && read.error().code != ErrorCode::not_found) return read.error();
    if (read.ok()) settings = std::move(read).value();
    if (!wish.user_hooks) settings.hooks = {};
  }
  const std::optional<std::string>& added = wish.added;
  const std::size_t start = added ? added->find_first_not_of(" \t\r\n") : std::string::npos;
  if (start == std::string::npos) return settings;
  if ((*added)[start] == '{') {
    auto read = parse_settings(*added, std::move(settings));
    if (!read.ok()) return wrong("--settings: " + read.error().message);
    return read;
  }
  const std::filesystem::path path = environment.cwd / *added;
  auto read = over_with_file(path, files, std::move(settings));
  if (!read.ok() && read.error().code == ErrorCode::not_found) {
    return wrong("Settings file not found: " + path.string());
  }
  return read;
}

}  // namespace yume::app
