// SPDX-License-Identifier: MIT
// A call in Gemini CLI's words, for hosts and files that know only those: the inverse of what
// core/gemini_cli_tools.h and tools/aliases.h make of its words.
#pragma once

#include <string>

#include "core/tool_call.h"

namespace yume::core {

struct GeminiCliCall {
  std::string name;
  RawJson parameters;
  friend bool operator==(const GeminiCliCall&, const GeminiCliCall&) = default;
};

// As version 0.61 declares its tools. A tool that it does not have keeps its name and input.
GeminiCliCall as_gemini_cli_call(const ToolCall& call);

}  // namespace yume::core
