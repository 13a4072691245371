// SPDX-License-Identifier: MIT
// What became of a call of Gemini CLI, in the words of a Claude transcript: every call has a
// result, also when its run died, and the marks that the program puts around a shell's output are
// gone. Pure.
#pragma once

#include "transcript/convert/session_record.h"

namespace yume::transcript {

CallResult outcome_of(const SaidCall& call);

// Without the shell's <untrusted_context>.
std::string without_wrapper(std::string text);

}  // namespace yume::transcript
