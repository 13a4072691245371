// SPDX-License-Identifier: MIT
// A conversation that was had in another program, from the bytes of its file: which format it is,
// and what it says. Yume's history file and views, session files of Claude Code, Gemini CLI and
// this program, the unified format. Pure.
#pragma once

#include <string>
#include <string_view>

#include "core/conversation.h"
#include "util/result.h"

namespace yume::transcript {

enum class HistoryFormat { yume, claude, gemini, gemini_log, unified };
std::string_view name_of(HistoryFormat format);

struct ImportedHistory {
  HistoryFormat format = HistoryFormat::yume;
  core::Conversation conversation;  // may be empty; positions and chain are not set
};

// Error protocol with the reason when no format fits.
Result<ImportedHistory> import_history(std::string bytes);

}  // namespace yume::transcript
