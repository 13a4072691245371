// SPDX-License-Identifier: MIT
#include "config/settings_stack.h"

#include "config/places.h"
#include "util/path_text.h"

#include <cstdint>
#include <utility>

namespace yume::config {
namespace {

constexpr std::uint64_t k_largest_file = 1U << 20U;
constexpr std::string_view k_blank = " \t\r\n";

Result<SettingsLayer> read_layer(SettingsOrigin origin, const std::string& text) {
  auto settings = parse_settings(text);
  if (!settings.ok()) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = origin.text() + ": " + settings.error().message};
  }
  return SettingsLayer{std::move(origin), std::move(settings).value()};
}

// nullopt: there is no such file.
Result<std::optional<SettingsLayer>> read_file(SettingsOrigin origin,
                                               const platform::FileSystem& files) {
  const auto text = files.read(origin.path, k_largest_file);
  if (!text.ok() && text.error().code == ErrorCode::not_found) {
    return std::optional<SettingsLayer>();
  }
  if (!text.ok()) return text.error();
  YUME_TRY(SettingsLayer layer, read_layer(std::move(origin), *text));
  return std::optional<SettingsLayer>(std::move(layer));
}

// --settings may be the text itself.
bool is_text(const std::string& added) {
  const std::size_t start = added.find_first_not_of(k_blank);
  return start != std::string::npos && added[start] == '{';
}

Result<std::optional<SettingsLayer>> read_added(const std::string& added,
                                                const platform::FileSystem& files,
                                                const platform::Environment& environment) {
  if (added.find_first_not_of(k_blank) == std::string::npos) return std::optional<SettingsLayer>();
  if (is_text(added)) {
    YUME_TRY(SettingsLayer layer, read_layer({SettingsSource::command_line, {}}, added));
    return std::optional<SettingsLayer>(std::move(layer));
  }
  const std::filesystem::path path = environment.cwd / added;
  auto layer = read_file({SettingsSource::command_line, path}, files);
  if (layer.ok() && !*layer) {
    return Error{.code = ErrorCode::invalid_argument,
                 .message = "Settings file not found: " + to_utf8(path)};
  }
  return layer;
}

}  // namespace

std::string SettingsOrigin::text() const {
  return path.empty() ? std::string("--settings") : to_utf8(path);
}

gemini::ModelMap SettingsStack::model_map() const {
  gemini::ModelMap all;
  for (const SettingsLayer& layer : layers_) {
    gemini::ModelMap over = layer.settings.model_map;
    over.merge(all);
    all = std::move(over);
  }
  return all;
}

std::optional<gemini::ModelCatalog> SettingsStack::catalog() const {
  std::optional<gemini::ModelCatalog> catalog;
  for (const SettingsLayer& layer : layers_) {
    if (!layer.settings.models) continue;
    const auto& base = catalog ? *catalog : gemini::ModelCatalog::built_in();
    auto more = base.with_rows(*layer.settings.models);
    if (more.ok()) catalog = std::move(more).value();  // each was tried when it was read
  }
  return catalog;
}

hooks::HookSettings SettingsStack::hooks() const {
  hooks::HookSettings all;
  for (const SettingsLayer& layer : layers_) all.append(layer.settings.hooks);
  return all;
}

std::optional<std::string> find_dialect(const platform::FileSystem& files,
                                        const platform::Environment& environment,
                                        const SettingsRequest& request) {
  const auto of_file = [&files](const std::filesystem::path& path) -> std::optional<std::string> {
    const auto text = files.read(path, k_largest_file);
    return text.ok() ? find_dialect(*text) : std::nullopt;
  };
  std::optional<std::string> found;
  if (request.added) {
    const std::string& added = *request.added;
    found = is_text(added) ? find_dialect(added) : of_file(environment.cwd / added);
  }
  const std::filesystem::path file = settings_file(environment);
  return found || file.empty() ? found : of_file(file);
}

Result<SettingsStack> read_settings(const platform::FileSystem& files,
                                    const platform::Environment& environment,
                                    const SettingsRequest& request) {
  std::vector<SettingsLayer> layers;
  if (std::filesystem::path path = settings_file(environment); !path.empty()) {
    YUME_TRY(std::optional<SettingsLayer> user,
             read_file({SettingsSource::user_file, std::move(path)}, files));
    if (user && !request.user_hooks) user->settings.hooks = {};
    if (user) layers.push_back(*std::move(user));
  }
  if (request.added) {
    YUME_TRY(std::optional<SettingsLayer> added, read_added(*request.added, files, environment));
    if (added) layers.push_back(*std::move(added));
  }
  return SettingsStack(std::move(layers));
}

}  // namespace yume::config
