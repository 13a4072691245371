// SPDX-License-Identifier: MIT
// What a call brought, as a JSON value in the form of transcripts, which hooks read, too. Pure.
#pragma once

#include "core/tool_call.h"
#include "util/json_io.h"

namespace yume::transcript {

// The text of an outcome that has no details.
RawJson tool_response(const core::ToolOutcome& outcome);

}  // namespace yume::transcript
