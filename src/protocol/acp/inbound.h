// SPDX-License-Identifier: MIT
// Lines of a client of the Agent Client Protocol: requests and notifications become commands,
// responses become answers. Total: whatever comes has a meaning, and every request a reply. Pure.
#pragma once

#include <string_view>

#include "protocol/host.h"

namespace yume::protocol {

HostMessage parse_acp_line(std::string_view line);
// One that was not read because it is longer than `limit`.
HostMessage refuse_acp_line(const LongLine& line, std::size_t limit);

}  // namespace yume::protocol
