// SPDX-License-Identifier: MIT
// Names of the Agent Client Protocol that several of its files use.
#pragma once

#include <cstdint>
#include <string_view>

namespace yume::protocol::acp {

inline constexpr std::int64_t k_protocol_version = 1;

// Numbers of errors beside those of JSON-RPC.
inline constexpr std::int64_t k_authentication_required = -32000;
inline constexpr std::int64_t k_not_found = -32002;

// Ways to authenticate.
inline constexpr std::string_view k_api_key_method = "gemini-api-key";
inline constexpr std::string_view k_google_method = "google-cloud";

// What a client can set of a session.
inline constexpr std::string_view k_mode_option = "mode";
inline constexpr std::string_view k_model_option = "model";
inline constexpr std::string_view k_thinking_option = "thinking";

// How a client answers when it is asked whether a call may run.
inline constexpr std::string_view k_allow_once = "allow_once";
inline constexpr std::string_view k_allow_always = "allow_always";
inline constexpr std::string_view k_reject_once = "reject_once";
inline constexpr std::string_view k_reject_always = "reject_always";

// What is left of a line once its other fields are in. Lines have no limit in the protocol, but
// clients have: 32 MiB and less.
inline constexpr std::size_t k_line_payload = 900'000;

}  // namespace yume::protocol::acp
