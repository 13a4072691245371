// SPDX-License-Identifier: MIT
#include "protocol/acp/config_options.h"

#include "protocol/acp/words.h"

#include <algorithm>
#include <array>

namespace yume::protocol {
namespace {

using core::PermissionMode;

struct ModeWords {
  PermissionMode mode;
  std::string_view name;
  std::string_view description;
};

constexpr std::array k_modes{
    ModeWords{PermissionMode::default_mode, "Default", "Asks before it changes or runs anything"},
    ModeWords{PermissionMode::accept_edits, "Accept edits",
              "Changes files in the working directories without asking"},
    ModeWords{PermissionMode::plan, "Plan", "Reads and plans, and changes nothing"},
    ModeWords{PermissionMode::dont_ask, "Don't ask", "Denies what is not allowed, and never asks"},
    ModeWords{PermissionMode::bypass, "Bypass permissions", "Runs everything without asking"},
};

struct ThinkingWords {
  std::string_view id;
  std::string_view name;
  std::optional<std::int64_t> most;
};

constexpr std::array k_thinking{
    ThinkingWords{"default", "Default", std::nullopt},
    ThinkingWords{"off", "As little as possible", 0},
    ThinkingWords{"low", "Low", 1'024},
    ThinkingWords{"medium", "Medium", 8'192},
    ThinkingWords{"high", "High", 24'576},
};

bool is_offered(const ModeWords& words, const AcpChoices& choices) {
  return words.mode != PermissionMode::bypass || choices.may_bypass ||
         choices.mode == PermissionMode::bypass;
}

void begin_option(JsonWriter& json, std::string_view id, std::string_view name,
                  std::string_view category, std::string_view current) {
  json.begin_object().field("id", id).field("name", name).field("category", category);
  json.field("type", "select").field("currentValue", current).key("options").begin_array();
}

void end_option(JsonWriter& json) {
  json.end_array().end_object();
}

bool lists_current(const AcpChoices& choices) {
  return std::any_of(choices.models.begin(), choices.models.end(),
                     [&](const core::ModelOffer& one) { return one.id == choices.model; });
}

// The current one is among them, also where the catalog does not know it.
void write_model_choices(JsonWriter& json, const AcpChoices& choices, std::string_view id_key) {
  const auto write = [&](const core::ModelOffer& one) {
    json.begin_object().field(id_key, one.id).field("name", one.id);
    if (!one.description.empty()) json.field("description", one.description);
    json.end_object();
  };
  if (!choices.model.empty() && !lists_current(choices))
    write({.id = choices.model, .description = {}});
  for (const core::ModelOffer& one : choices.models) write(one);
}

}  // namespace

std::optional<PermissionMode> acp_mode_from(std::string_view name) {
  if (name == "autoEdit" || name == "auto_edit") return PermissionMode::accept_edits;
  if (name == "yolo") return PermissionMode::bypass;
  return core::permission_mode_from(name);
}

std::optional<AcpThinking> acp_thinking_from(std::string_view name) {
  for (const ThinkingWords& words : k_thinking) {
    if (words.id == name) return AcpThinking{words.most};
  }
  return std::nullopt;
}

void write_modes(JsonWriter& json, const AcpChoices& choices) {
  json.begin_object().field("currentModeId", core::to_string(choices.mode));
  json.key("availableModes").begin_array();
  for (const ModeWords& words : k_modes) {
    if (!is_offered(words, choices)) continue;
    json.begin_object().field("id", core::to_string(words.mode)).field("name", words.name);
    json.field("description", words.description).end_object();
  }
  json.end_array().end_object();
}

void write_models(JsonWriter& json, const AcpChoices& choices) {
  json.begin_object().key("availableModels").begin_array();
  write_model_choices(json, choices, "modelId");
  json.end_array().field("currentModelId", choices.model).end_object();
}

void write_config_options(JsonWriter& json, const AcpChoices& choices) {
  json.begin_array();
  begin_option(json, acp::k_mode_option, "Mode", "mode", core::to_string(choices.mode));
  for (const ModeWords& words : k_modes) {
    if (!is_offered(words, choices)) continue;
    json.begin_object().field("value", core::to_string(words.mode)).field("name", words.name);
    json.field("description", words.description).end_object();
  }
  end_option(json);
  begin_option(json, acp::k_model_option, "Model", "model", choices.model);
  write_model_choices(json, choices, "value");
  end_option(json);
  begin_option(json, acp::k_thinking_option, "Thinking", "thought_level", choices.thinking);
  for (const ThinkingWords& words : k_thinking) {
    json.begin_object().field("value", words.id).field("name", words.name).end_object();
  }
  end_option(json);
  json.end_array();
}

}  // namespace yume::protocol
