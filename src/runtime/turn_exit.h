// SPDX-License-Identifier: MIT
// What the last turn means for the exit code.
#pragma once

#include "core/event.h"
#include "runtime/exit_codes.h"

namespace yume::runtime {

enum class AskedToEnd { no, by_sigint };

// As Claude Code has it. SIGINT asks for the end, and a turn that it interrupts is no failure; one
// that the host interrupts is an error result like others.
constexpr ExitCode claude_exit_code(const core::TurnDone& done, AskedToEnd asked) {
  const bool as_asked =
      done.outcome == core::TurnOutcome::interrupted && asked == AskedToEnd::by_sigint;
  const bool good = done.outcome == core::TurnOutcome::success || as_asked;
  return good ? ExitCode::success : ExitCode::failure;
}

}  // namespace yume::runtime
