// SPDX-License-Identifier: MIT
// Gemini CLI's calls as readers of unified messages know them. They differ from those of a Claude
// transcript (core/gemini_cli_input.h): a folder is listed by Glob, and what has no name there
// keeps its own. Pure.
#pragma once

#include "transcript/convert/session_record.h"

namespace yume::transcript {

struct UnifiedCall {
  std::string name;
  RawJson input;
};

UnifiedCall unified_call(const SaidCall& call);

}  // namespace yume::transcript
