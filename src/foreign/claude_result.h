// SPDX-License-Identifier: MIT
// What Claude Code's lines count and how they say that a turn has ended, as our values. Whatever is
// missing or of another type is nothing. Pure.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>
#include <vector>

#include "core/event.h"

namespace yume::foreign {

std::int64_t claude_count(const nlohmann::json& object, const char* key);
std::vector<std::string> claude_texts(const nlohmann::json& object, const char* key);
// Cached input stands apart there.
core::Usage claude_usage(const nlohmann::json& usage);

// Of a result line, without what a TurnFlow counts itself.
core::TurnDone read_claude_result(const nlohmann::json& result);
std::vector<core::ToolCall> read_claude_denials(const nlohmann::json& result);

}  // namespace yume::foreign
