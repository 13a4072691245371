// SPDX-License-Identifier: MIT
// Whether a call may run, as the Agent Client Protocol asks it and answers: options to choose from.
// Pure.
#pragma once

#include <optional>

#include "core/host_question.h"
#include "protocol/host.h"
#include "util/json_io.h"

namespace yume::protocol {

// A JSON array.
void write_permission_options(JsonWriter& json, const core::MayRun& question);

// Total: what is no answer is a no.
core::HostAnswer read_permission_outcome(const core::MayRun& question, const RawAnswer& answer);

}  // namespace yume::protocol
