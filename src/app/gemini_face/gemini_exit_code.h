// SPDX-License-Identifier: MIT
// With which code the official Gemini CLI would end. Where its own says that a turn which failed
// went well, ours does not.
#pragma once

#include "app/exit_codes.h"
#include "core/event.h"
#include "runtime/turn_exit.h"

namespace yume::app {

ExitCode gemini_exit_code(const core::TurnDone& done, runtime::AskedToEnd asked);

}  // namespace yume::app
