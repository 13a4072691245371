// SPDX-License-Identifier: MIT
#include "app/model_choice.h"

#include <chrono>
#include <utility>

namespace yume::app {

ModelChoice::ModelChoice(Settings settings, gemini::ModelMap named_here)
    : settings_(std::move(settings)) {
  named_here.merge(settings_.model_map);
  settings_.model_map = std::move(named_here);
}

gemini::ModelInfo ModelChoice::choose(std::string_view name, platform::WallTime now) const {
  return catalog().info(catalog().resolve(name, map()), std::chrono::floor<std::chrono::days>(now));
}

bool ModelChoice::lists(std::string_view id) const {
  return catalog().knows(id);
}

const gemini::ModelCatalog& ModelChoice::catalog() const {
  return settings_.catalog ? *settings_.catalog : gemini::ModelCatalog::built_in();
}

Result<ModelChoice> read_model_choice(const Options& options, const platform::FileSystem& files,
                                      const platform::Environment& environment) {
  YUME_TRY(Settings settings,
           read_settings(files, environment,
                         {.added = options.settings, .user_hooks = options.user_hooks}));
  return ModelChoice(std::move(settings), options.model_map);
}

}  // namespace yume::app
