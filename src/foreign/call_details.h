// SPDX-License-Identifier: MIT
// What programs read of a result that another agent's tool brought, as far as its call says it: the
// file that was written, the tasks, the output of a command. Pure.
#pragma once

#include "core/tool_call.h"

namespace yume::foreign {

// Nothing where there are details already, or the call is of a tool that is not known here.
void add_details(const core::ToolCall& call, core::ToolOutcome& outcome);

}  // namespace yume::foreign
