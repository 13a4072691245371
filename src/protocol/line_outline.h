// SPDX-License-Identifier: MIT
// What dialects must know of a line that is too long to be read, so that whoever waits for an
// answer to it gets one.
#pragma once

#include <array>

#include "util/json_outline.h"

namespace yume::protocol {

inline constexpr OutlineMember k_line_type{.object = {}, .key = "type"};
// Whose request it is, or is an answer to.
inline constexpr OutlineMember k_line_request{.object = {}, .key = "request_id"};
inline constexpr OutlineMember k_answered_request{.object = "response", .key = "request_id"};

// The same of JSON-RPC.
inline constexpr OutlineMember k_line_id{.object = {}, .key = "id"};
inline constexpr OutlineMember k_line_method{.object = {}, .key = "method"};

inline constexpr std::array k_line_outline{k_line_type, k_line_request, k_answered_request,
                                           k_line_id, k_line_method};

}  // namespace yume::protocol
