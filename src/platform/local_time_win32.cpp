// SPDX-License-Identifier: MIT
#include "platform/local_time.h"

#include <ctime>

namespace yume::platform {

LocalTime to_local(WallTime time) {
  const std::time_t seconds = std::chrono::system_clock::to_time_t(time);
  ::_tzset();  // localtime_s alone need not look at TZ
  std::tm parts{};
  if (::localtime_s(&parts, &seconds) != 0) return {};
  return {.year = parts.tm_year + 1900,
          .month = parts.tm_mon + 1,
          .day = parts.tm_mday,
          .hour = parts.tm_hour,
          .minute = parts.tm_min};
}

}  // namespace yume::platform
