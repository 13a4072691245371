// SPDX-License-Identifier: MIT
// Session files of Gemini CLI: the single object of 2025, the log of lines since April 2026, and
// single messages of either. Pure.
#pragma once

#include <string_view>
#include <vector>

#include "core/conversation.h"
#include "transcript/importers/import_json.h"

namespace yume::transcript::import {

core::Conversation read_gemini_messages(const std::vector<Json>& messages);
// Applies the log's lines in order. Lines that cannot be read are passed over.
core::Conversation read_gemini_log(std::string_view bytes);

}  // namespace yume::transcript::import
