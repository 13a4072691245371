// SPDX-License-Identifier: MIT
// The details of an edit, as Gemini CLI shows it to people, in the form of a Claude transcript's
// toolUseResult. Pure.
#pragma once

#include <optional>

#include "util/json_io.h"

namespace yume::transcript {

// nullopt: `display` is no diff of a file.
std::optional<RawJson> edit_details(const RawJson& display);

}  // namespace yume::transcript
