// SPDX-License-Identifier: MIT
// The words with which hosts say how hard the model shall think. Pure.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

namespace yume::core {

// Those that every host knows; they differ for each of our models that thinks.
inline constexpr std::array<std::string_view, 3> k_offered_efforts = {"low", "medium", "high"};

// The most tokens that come to a word; nullopt: it is none of them.
std::optional<std::int64_t> tokens_of_effort(std::string_view effort);

}  // namespace yume::core
