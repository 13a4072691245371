// SPDX-License-Identifier: MIT
// What a client can choose for a session, in the words of the Agent Client Protocol: the mode of
// permissions, the model, and how much it thinks. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/permission.h"
#include "core/session_report.h"
#include "util/json_io.h"

namespace yume::protocol {

struct AcpChoices {
  core::PermissionMode mode = core::PermissionMode::default_mode;
  bool may_bypass = false;
  std::string model = {};
  std::vector<core::ModelOffer> models = {};
  std::string thinking = {};  // of k_thinking below
};

// Our own names and those of Gemini CLI.
std::optional<core::PermissionMode> acp_mode_from(std::string_view name);

struct AcpThinking {
  std::optional<std::int64_t> most;  // tokens; absent: as the session began
};
std::optional<AcpThinking> acp_thinking_from(std::string_view name);

// `{"currentModeId":…}` and `{"currentModelId":…}`
void write_modes(JsonWriter& json, const AcpChoices& choices);
void write_models(JsonWriter& json, const AcpChoices& choices);
// The complete list of options.
void write_config_options(JsonWriter& json, const AcpChoices& choices);

}  // namespace yume::protocol
