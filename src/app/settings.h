// SPDX-License-Identifier: MIT
// The user's own settings: settings.json in $YUME_CONFIG_DIR or ~/.yume. A missing file means none;
// a broken one is an error, never half read. Keys that mean nothing here are left alone.
#pragma once

#include <filesystem>
#include <optional>

#include "gemini/model_catalog.h"
#include "platform/environment.h"
#include "platform/file_system.h"
#include "util/result.h"

namespace yume::app {

struct Settings {
  gemini::ModelMap model_map;                   // `modelMap`
  std::optional<gemini::ModelCatalog> catalog;  // with the rows of `models`, if there are any
  std::optional<double> compact_threshold;      // `compactThreshold`, a share of the window
};

// Empty when neither the variable nor a home directory is known.
std::filesystem::path settings_file(const platform::Environment& environment);

// Where models' limits are kept; empty when no home directory is known.
std::filesystem::path model_cache(const platform::Environment& environment);

// The message names file, key and reason.
Result<Settings> read_settings(const platform::FileSystem& files,
                               const platform::Environment& environment);

// What one file says; pure. The message names key and reason.
Result<Settings> parse_settings(std::string_view text);

}  // namespace yume::app
