// SPDX-License-Identifier: MIT
// Sizes as people write them: "512", "64K", "128M", "1G"; a K is 1024 bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace yume {

// Nullopt for what is no size. "MB" and "MiB" mean what "M" does.
std::optional<std::uint64_t> parse_byte_size(std::string_view text);

// "17.5 MiB"; whole numbers without a fraction: "128 MiB", "900 bytes".
std::string byte_size_text(std::uint64_t bytes);

}  // namespace yume
