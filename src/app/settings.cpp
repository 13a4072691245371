// SPDX-License-Identifier: MIT
#include "app/settings.h"

#include "app/options.h"

#include "util/json_io.h"

#include <nlohmann/json.hpp>

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
  map.merge(*entry);
  return {};
}

}  // namespace

std::filesystem::path settings_file(const platform::Environment& environment) {
  constexpr const char* k_name = "settings.json";
  if (const auto directory = environment.get("YUME_CONFIG_DIR")) {
    return environment.cwd / *directory / k_name;
  }
  return environment.home.empty() ? std::filesystem::path() : environment.home / ".yume" / k_name;
}

Result<Settings> parse_settings(std::string_view text) {
  if (const auto valid = check_json(text); !valid.ok()) return wrong(valid.error().message);
  const Json json = Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!json.is_object()) return wrong("not a JSON object");
  Settings settings;
  if (const auto map = json.find("modelMap"); map != json.end()) {
    if (!map->is_object()) return wrong("modelMap is not an object");
    for (const auto& [name, id] : map->items()) {
      if (auto added = add_mapping(name, id, settings.model_map); !added.ok()) return added.error();
    }
  }
  if (const auto share = json.find("compactThreshold"); share != json.end()) {
    settings.compact_threshold =
        parse_share(share->is_string() ? share->get<std::string>() : share->dump());
    if (!settings.compact_threshold) {
      return wrong("compactThreshold is not a share of the window between 10% and 95%");
    }
  }
  if (const auto rows = json.find("models"); rows != json.end()) {
    auto catalog = gemini::ModelCatalog::built_in().with_rows(RawJson{rows->dump()});
    if (!catalog.ok()) return wrong("models: " + catalog.error().message);
    settings.catalog = std::move(catalog).value();
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
                               const platform::Environment& environment) {
  const std::filesystem::path path = settings_file(environment);
  if (path.empty()) return Settings{};
  const auto text = files.read(path, k_largest_file);
  if (!text.ok() && text.error().code == ErrorCode::not_found) return Settings{};
  if (!text.ok()) return text.error();
  auto settings = parse_settings(*text);
  if (!settings.ok()) return wrong(path.string() + ": " + settings.error().message);
  return settings;
}

}  // namespace yume::app
