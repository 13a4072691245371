// SPDX-License-Identifier: MIT
// The name a model probably meant. Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume::tools {

// The most similar of `names`: equal but for the case, then the same stem with another extension,
// then a few letters wrong. nullopt when none is near enough.
std::optional<std::string> similar_name(std::string_view wanted,
                                        const std::vector<std::string>& names);

}  // namespace yume::tools
