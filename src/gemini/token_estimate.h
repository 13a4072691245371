// SPDX-License-Identifier: MIT
// How many tokens a content will cost, before the server has counted it. Rough, and rather too many
// than too few. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace yume::gemini {

// `json` is ASCII JSON as this program writes it. Media count by their kind, not by their bytes.
std::int64_t estimate_tokens(std::string_view json);

}  // namespace yume::gemini
