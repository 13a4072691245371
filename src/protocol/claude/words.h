// SPDX-License-Identifier: MIT
// Words and limits that all lines of Claude's dialect share. Private to src/protocol.
#pragma once

#include <cstddef>
#include <string_view>

#include "core/event.h"
#include "core/usage.h"
#include "protocol/line_writer.h"
#include "util/json_io.h"

namespace yume::protocol {

// What is left of a line's limit once the other fields are in.
inline constexpr std::size_t k_payload = k_max_line_bytes - 20'000;
inline constexpr std::size_t k_longest_reason = 10'000;

// "rate_limit", "server_error", ...
std::string_view error_name(core::FailureKind kind);

// The `usage` of a message or a result.
void write_usage(JsonWriter& json, const core::Usage& usage);

// null for an empty value.
void write_nullable(JsonWriter& json, std::string_view key, std::string_view value);

}  // namespace yume::protocol
