// SPDX-License-Identifier: MIT
#include "app/model_choice.h"

#include <chrono>
#include <string>
#include <utility>

namespace yume::app {

ModelChoice::ModelChoice(config::SettingsStack settings, gemini::ModelMap named_here)
    : settings_(std::move(settings)), map_(std::move(named_here)), catalog_(settings_.catalog()) {
  map_.merge(settings_.model_map());
}

gemini::ModelInfo ModelChoice::choose(std::string_view name, platform::WallTime now) const {
  const auto usual = settings_.value(&config::Settings::model);
  const std::string meant(name.empty() && usual ? *usual : name);
  return catalog().info(catalog().resolve(meant, map_), std::chrono::floor<std::chrono::days>(now));
}

std::vector<core::ModelOffer> ModelChoice::offers(platform::WallTime now) const {
  std::vector<core::ModelOffer> offers;
  for (const std::string& id : catalog().ids()) {
    const gemini::ModelInfo info = catalog().info(id, std::chrono::floor<std::chrono::days>(now));
    const bool goes_on =
        info.status == gemini::ModelStatus::ga || info.status == gemini::ModelStatus::preview;
    if (!goes_on) continue;
    std::string about =
        "Google Gemini, " + std::to_string(info.context_window / 1024) + "k tokens of context";
    if (info.status == gemini::ModelStatus::preview) about += ", preview";
    offers.push_back({.id = id,
                      .description = std::move(about),
                      .thinks = info.thinking != gemini::ThinkingControl::none});
  }
  return offers;
}

bool ModelChoice::lists(std::string_view id) const {
  return catalog().knows(id);
}

const gemini::ModelCatalog& ModelChoice::catalog() const {
  return catalog_ ? *catalog_ : gemini::ModelCatalog::built_in();
}

Result<ModelChoice> read_model_choice(const Options& options, const platform::FileSystem& files,
                                      const platform::Environment& environment) {
  YUME_TRY(config::SettingsStack settings,
           config::read_settings(files, environment,
                                 {.added = options.settings, .user_hooks = options.user_settings}));
  return ModelChoice(std::move(settings), options.model_map);
}

}  // namespace yume::app
