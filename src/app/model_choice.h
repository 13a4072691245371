// SPDX-License-Identifier: MIT
// From the name a host gives to a model: settings, environment and flags put together.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "app/options.h"
#include "config/settings_stack.h"
#include "core/session_report.h"
#include "gemini/model_catalog.h"
#include "platform/clock.h"

namespace yume::app {

class ModelChoice {
 public:
  // `named_here`: what environment and command line map, which beats the settings' map.
  ModelChoice(config::SettingsStack settings, gemini::ModelMap named_here);

  // With the prices of that day. No name: the settings' model, else the default.
  [[nodiscard]] gemini::ModelInfo choose(std::string_view name, platform::WallTime now) const;

  // Whether the catalog has a row that fits; else its answers are a guess.
  [[nodiscard]] bool lists(std::string_view id) const;

  // Those that a host may offer a person: none that is about to go.
  [[nodiscard]] std::vector<core::ModelOffer> offers(platform::WallTime now) const;

  [[nodiscard]] const gemini::ModelCatalog& catalog() const;
  [[nodiscard]] const gemini::ModelMap& map() const { return map_; }
  [[nodiscard]] const config::SettingsStack& settings() const { return settings_; }

 private:
  config::SettingsStack settings_;
  gemini::ModelMap map_;
  std::optional<gemini::ModelCatalog> catalog_;  // nullopt: the built-in one
};

// The message of bad settings names file, key and reason.
Result<ModelChoice> read_model_choice(const Options& options, const platform::FileSystem& files,
                                      const platform::Environment& environment);

}  // namespace yume::app
