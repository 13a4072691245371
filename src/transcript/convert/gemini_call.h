// SPDX-License-Identifier: MIT
// A call as Gemini CLI would have recorded it: the inverse of importers/gemini_tools.h, with the
// arguments that its version 0.61 declares. Pure.
#pragma once

#include "transcript/convert/session_record.h"

namespace yume::transcript {

struct GeminiCall {
  std::string name;
  RawJson args;
};

GeminiCall gemini_call(const SaidCall& call);

}  // namespace yume::transcript
