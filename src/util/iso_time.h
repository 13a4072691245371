// SPDX-License-Identifier: MIT
// A time as JSON has it: ISO 8601 in UTC, with milliseconds.
#pragma once

#include <chrono>
#include <string>

namespace yume {

// "2026-11-16T11:34:00.000Z"
std::string iso_time(std::chrono::system_clock::time_point time);

}  // namespace yume
