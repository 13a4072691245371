// SPDX-License-Identifier: MIT
// The word that a person or a model probably meant. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace yume {

// How many letters must be added, left out, replaced or swapped with their neighbour. Compares
// bytes; takes time and memory in proportion to the product of the lengths.
std::size_t edit_distance(std::string_view left, std::string_view right);

// The most similar of `words`: equal but for the case, a few letters wrong, or begun by `typed`,
// which then must be the beginning of no other. nullopt when none is near enough.
std::optional<std::string> nearest_word(std::string_view typed,
                                        const std::vector<std::string_view>& words);

}  // namespace yume
