// SPDX-License-Identifier: MIT
// Reads the times that session files have.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace yume::transcript {

// Since 1970, of "2026-11-16T11:34:00.123Z" (fractions of any length, or an offset such as +01:00);
// nullopt for what is no such time.
std::optional<std::int64_t> iso_milliseconds(std::string_view text);

}  // namespace yume::transcript
