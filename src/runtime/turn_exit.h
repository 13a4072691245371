// SPDX-License-Identifier: MIT
// What the last turn means for the exit code.
#pragma once

#include "core/event.h"
#include "runtime/exit_codes.h"

namespace yume::runtime {

// SIGINT asks for the end, and a turn that it interrupts is no failure; one that the host
// interrupts is an error result like others.
constexpr ExitCode exit_code_of(core::TurnOutcome outcome, bool after_sigint) {
  const bool as_asked = outcome == core::TurnOutcome::interrupted && after_sigint;
  const bool good = outcome == core::TurnOutcome::success || as_asked;
  return good ? ExitCode::success : ExitCode::failure;
}

}  // namespace yume::runtime
