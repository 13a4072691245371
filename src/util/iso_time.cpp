// SPDX-License-Identifier: MIT
#include "util/iso_time.h"

#include <array>
#include <cstdio>

namespace yume {

std::string iso_time(std::chrono::system_clock::time_point time) {
  const auto exact = std::chrono::floor<std::chrono::milliseconds>(time);
  const auto midnight = std::chrono::floor<std::chrono::days>(exact);
  const std::chrono::year_month_day day(midnight);
  const std::chrono::hh_mm_ss clock(exact - midnight);
  std::array<char, 40> text{};
  std::snprintf(
      text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02d.%03dZ", static_cast<int>(day.year()),
      static_cast<unsigned>(day.month()), static_cast<unsigned>(day.day()),
      static_cast<int>(clock.hours().count()), static_cast<int>(clock.minutes().count()),
      static_cast<int>(clock.seconds().count()), static_cast<int>(clock.subseconds().count()));
  return text.data();
}

}  // namespace yume
