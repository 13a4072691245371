// SPDX-License-Identifier: MIT
#include "util/byte_size.h"

#include <gtest/gtest.h>

namespace yume {
namespace {

TEST(ByteSize, ReadsWhatPeopleWrite) {
  EXPECT_EQ(parse_byte_size("0"), 0U);
  EXPECT_EQ(parse_byte_size("512"), 512U);
  EXPECT_EQ(parse_byte_size("64K"), 64U << 10U);
  for (const char* text : {"128M", "128m", "128MB", "128mib", "131072k"}) {
    EXPECT_EQ(parse_byte_size(text), 128U << 20U) << text;
  }
  EXPECT_EQ(parse_byte_size("1G"), 1U << 30U);
}

TEST(ByteSize, RefusesWhatIsNone) {
  for (const char* text : {"", "M", "-1", "+1", "1.5M", "1 M", "1X", "1MM", " 1", "99999999999G"}) {
    EXPECT_EQ(parse_byte_size(text), std::nullopt) << text;
  }
}

TEST(ByteSize, WritesThemForPeople) {
  EXPECT_EQ(byte_size_text(0), "0 bytes");
  EXPECT_EQ(byte_size_text(1023), "1023 bytes");
  EXPECT_EQ(byte_size_text(1024), "1 KiB");
  EXPECT_EQ(byte_size_text(1536), "1.5 KiB");
  EXPECT_EQ(byte_size_text((128U << 20U) + 1), "128.0 MiB");
  EXPECT_EQ(byte_size_text(std::uint64_t{5} << 30U), "5 GiB");
}

}  // namespace
}  // namespace yume
