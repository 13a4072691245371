// SPDX-License-Identifier: MIT
// What a host of InsightsEvents says on stdin: one JSON object on each line, its kind in `command`.
// Parsing is total. Pure.
#pragma once

#include <string_view>

#include "protocol/host.h"

namespace yume::protocol {

// A command that may fail carries its name as `reply_to`: there are no ids.
HostMessage parse_insights_line(std::string_view line);
HostMessage refuse_insights_line(const LongLine& line, std::size_t limit);

}  // namespace yume::protocol
