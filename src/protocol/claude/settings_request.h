// SPDX-License-Identifier: MIT
// The settings of a host's `apply_flag_settings`, as far as they can be had while a session runs.
// Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "core/command.h"

namespace yume::protocol {

// Nothing of it holds where one of them is not understood: it may have been meant to restrict.
core::Command parse_settings_request(const nlohmann::json& request);

}  // namespace yume::protocol
