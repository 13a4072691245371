// SPDX-License-Identifier: MIT
#include "app/gemini_face/gemini_exit_code.h"

namespace yume::app {

ExitCode gemini_exit_code(const core::TurnDone& done, runtime::AskedToEnd /*asked*/) {
  switch (done.outcome) {
    case core::TurnOutcome::success:
      return ExitCode::success;
    case core::TurnOutcome::max_turns:
      return ExitCode::turn_limit;
    case core::TurnOutcome::interrupted:
      return ExitCode::interrupted;
    case core::TurnOutcome::rejected:
      return ExitCode::input;
    case core::TurnOutcome::failed:
      return done.failure == core::FailureKind::authentication ? ExitCode::authentication
                                                               : ExitCode::failure;
    case core::TurnOutcome::max_budget:
    case core::TurnOutcome::stuck:
    case core::TurnOutcome::timed_out:
    case core::TurnOutcome::no_structured_output:
      break;
  }
  return ExitCode::failure;
}

}  // namespace yume::app
