// SPDX-License-Identifier: MIT
// Times as the clock on a person's wall shows them: in the zone of TZ, else of the system.
#pragma once

#include "platform/clock.h"

namespace yume::platform {

struct LocalTime {
  int year = 1970;
  int month = 1;  // from 1
  int day = 1;
  int hour = 0;
  int minute = 0;

  friend bool operator==(const LocalTime&, const LocalTime&) = default;
};

// A zone that the system does not know counts as UTC.
LocalTime to_local(WallTime time);

}  // namespace yume::platform
