// SPDX-License-Identifier: MIT
// All settings of a run as layers that keep where they come from: the user's settings.json in
// $YUME_CONFIG_DIR or ~/.yume, and over it what --settings says. Every value can say which layer it
// is from.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "config/settings.h"
#include "gemini/model_catalog.h"
#include "hooks/hook_settings.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "util/result.h"

namespace yume::config {

enum class SettingsSource { user_file, command_line };

struct SettingsOrigin {
  SettingsSource source = SettingsSource::user_file;
  std::filesystem::path path = {};  // empty: the text itself was given

  // For people: the file's name, or "--settings".
  [[nodiscard]] std::string text() const;

  friend bool operator==(const SettingsOrigin&, const SettingsOrigin&) = default;
};

struct SettingsLayer {
  SettingsOrigin origin;
  Settings settings;
};

template <class T>
struct Sourced {
  T value;
  SettingsOrigin origin;
};

class SettingsStack {
 public:
  // Lowest first: a later layer beats an earlier one, value by value.
  explicit SettingsStack(std::vector<SettingsLayer> layers = {}) : layers_(std::move(layers)) {}

  // find(&Settings::model): the value that counts, and its origin.
  template <class T>
  [[nodiscard]] std::optional<Sourced<T>> find(std::optional<T> Settings::*key) const {
    for (auto layer = layers_.rbegin(); layer != layers_.rend(); ++layer) {
      if (const std::optional<T>& value = layer->settings.*key) {
        return Sourced<T>{*value, layer->origin};
      }
    }
    return std::nullopt;
  }
  // The same without its origin.
  template <class T>
  [[nodiscard]] std::optional<T> value(std::optional<T> Settings::*key) const {
    auto found = find(key);
    return found ? std::optional<T>(std::move(found->value)) : std::nullopt;
  }

  // Those that add up: entries by name, rows by id, hooks one behind the other.
  [[nodiscard]] gemini::ModelMap model_map() const;
  [[nodiscard]] std::optional<gemini::ModelCatalog> catalog() const;  // nullopt: the built-in one
  [[nodiscard]] hooks::HookSettings hooks() const;

  [[nodiscard]] const std::vector<SettingsLayer>& layers() const { return layers_; }

 private:
  std::vector<SettingsLayer> layers_;
};

// What the command line says about settings.
struct SettingsRequest {
  // JSON or the name of a file.
  std::optional<std::string> added = std::nullopt;
  bool user_hooks = true;  // those of settings.json are wanted
};

// The dialect that they name, as far as can be seen when they cannot be read: what --settings says
// counts first. nullopt also for a file that does not open.
std::optional<std::string> find_dialect(const platform::FileSystem& files,
                                        const platform::Environment& environment,
                                        const SettingsRequest& request = {});

// A missing settings.json means none. The message names file, key and reason.
Result<SettingsStack> read_settings(const platform::FileSystem& files,
                                    const platform::Environment& environment,
                                    const SettingsRequest& request = {});

}  // namespace yume::config
