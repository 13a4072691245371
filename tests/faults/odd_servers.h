// SPDX-License-Identifier: MIT
// Servers that a script cannot play. Each lives until the end of the process.
#pragma once

#include <string>

namespace yume::faults {

// A port that was free a moment ago: connecting is refused.
std::string closed_port_url();
// Listens with a full queue and never accepts: connecting takes for ever.
std::string black_hole_url();
// Answers 200 and sends keep-alive comments without an end.
std::string endless_stream_url();

}  // namespace yume::faults
