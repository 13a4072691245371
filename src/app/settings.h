// SPDX-License-Identifier: MIT
// The user's own settings: settings.json in $YUME_CONFIG_DIR or ~/.yume, and what --settings adds.
// A missing settings.json means none; a broken one is an error, never half read. Keys that mean
// nothing here are left alone.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "gemini/model_catalog.h"
#include "hooks/hook_settings.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "util/result.h"

namespace yume::app {

struct Settings {
  gemini::ModelMap model_map;                   // `modelMap`
  std::optional<gemini::ModelCatalog> catalog;  // with the rows of `models`, if there are any
  std::optional<double> compact_threshold;      // `compactThreshold`, a share of the window
  hooks::HookSettings hooks;                    // `hooks`
};

// Empty when neither the variable nor a home directory is known.
std::filesystem::path settings_file(const platform::Environment& environment);

// Where models' limits are kept; empty when no home directory is known.
std::filesystem::path model_cache(const platform::Environment& environment);

// What the command line says about settings.
struct SettingsWish {
  // JSON or the name of a file. Its single values beat those of settings.json; its hooks are run
  // behind those of settings.json.
  std::optional<std::string> added = std::nullopt;
  bool user_hooks = true;  // those of settings.json are wanted
};

// The message names file, key and reason.
Result<Settings> read_settings(const platform::FileSystem& files,
                               const platform::Environment& environment,
                               const SettingsWish& wish = {});

// Puts what one text says over what is there; pure. The message names key and reason.
Result<Settings> parse_settings(std::string_view text, Settings settings = {});

}  // namespace yume::app
