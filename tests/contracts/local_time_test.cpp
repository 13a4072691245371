// SPDX-License-Identifier: MIT
// The zones are written out in TZ, so that no database of zones is needed.
#include "platform/local_time.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>

namespace yume::platform {
namespace {

class InZone {
 public:
  explicit InZone(const char* zone) {
    if (const char* before = std::getenv("TZ")) before_ = before;
    ::setenv("TZ", zone, /*overwrite=*/1);
  }
  ~InZone() { ::setenv("TZ", before_.c_str(), /*overwrite=*/1); }
  InZone(const InZone&) = delete;
  InZone& operator=(const InZone&) = delete;

 private:
  std::string before_;
};

const WallTime k_time = std::chrono::sys_days(std::chrono::year(2025) / 12 / 31) +
                        std::chrono::hours(20) + std::chrono::minutes(30);

TEST(LocalTime, FollowsTz) {
  {
    const InZone zone("UTC0");
    EXPECT_EQ(to_local(k_time), (LocalTime{2025, 12, 31, 20, 30}));
  }
  {
    const InZone zone("EAST-5:45");
    EXPECT_EQ(to_local(k_time), (LocalTime{2026, 1, 1, 2, 15}));
  }
  const InZone zone("WEST8");
  EXPECT_EQ(to_local(k_time), (LocalTime{2025, 12, 31, 12, 30}));
}

TEST(LocalTime, KnowsSummerTime) {
  const InZone zone("CET-1CEST,M3.5.0,M10.5.0/3");
  const WallTime summer = std::chrono::sys_days(std::chrono::year(2026) / 7 / 1);
  EXPECT_EQ(to_local(summer), (LocalTime{2026, 7, 1, 2, 0}));
}

}  // namespace
}  // namespace yume::platform
