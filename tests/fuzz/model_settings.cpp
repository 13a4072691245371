// SPDX-License-Identifier: MIT
// Any settings file is read or refused with a reason; what was read can be asked for any model.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "app/model_choice.h"
#include "app/models_command.h"
#include "config/settings.h"
#include "gemini/model_answer.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  (void)yume::gemini::parse_model_answer(text);
  if (const auto map = yume::gemini::parse_model_map(text); map.ok()) {
    (void)yume::gemini::resolve_model_id(text, *map);
  }
  const auto settings = yume::config::parse_settings(text);
  if (!settings.ok()) {
    if (settings.error().message.empty()) std::abort();
    return 0;
  }
  const yume::app::ModelChoice models(yume::config::SettingsStack({{{}, *settings}}), {});
  const yume::platform::WallTime now{};
  for (const auto& [name, id] : models.map()) {
    if (models.choose(name, now).id.empty()) std::abort();
  }
  if (!yume::check_json(yume::app::models_json(models, now)).ok()) std::abort();
  return 0;
}
