// SPDX-License-Identifier: MIT
// From the name a host gives to a model: settings, environment and flags put together.
#pragma once

#include <string_view>

#include "app/options.h"
#include "app/settings.h"
#include "gemini/model_catalog.h"
#include "platform/clock.h"

namespace yume::app {

class ModelChoice {
 public:
  // `named_here`: what environment and command line map, which beats the settings' map.
  ModelChoice(Settings settings, gemini::ModelMap named_here);

  // With the prices of that day.
  [[nodiscard]] gemini::ModelInfo choose(std::string_view name, platform::WallTime now) const;

  // Whether the catalog has a row that fits; else its answers are a guess.
  [[nodiscard]] bool lists(std::string_view id) const;

  [[nodiscard]] const gemini::ModelCatalog& catalog() const;
  [[nodiscard]] const gemini::ModelMap& map() const { return settings_.model_map; }
  [[nodiscard]] const Settings& settings() const { return settings_; }

 private:
  Settings settings_;
};

// The message of bad settings names file, key and reason.
Result<ModelChoice> read_model_choice(const Options& options, const platform::FileSystem& files,
                                      const platform::Environment& environment);

}  // namespace yume::app
