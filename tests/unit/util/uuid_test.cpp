// SPDX-License-Identifier: MIT
#include "util/uuid.h"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace yume {
namespace {

TEST(Uuid, IsVersionFourAndNeverTheSame) {
  std::set<std::string> seen;
  for (int i = 0; i < 1000; ++i) {
    const std::string uuid = make_uuid();
    EXPECT_TRUE(is_uuid(uuid)) << uuid;
    EXPECT_EQ(uuid[14], '4') << uuid;
    EXPECT_NE(std::string("89ab").find(uuid[19]), std::string::npos) << uuid;
    EXPECT_EQ(uuid.find_first_not_of("0123456789abcdef-"), std::string::npos) << uuid;
    EXPECT_TRUE(seen.insert(uuid).second) << uuid;
  }
}

TEST(Uuid, RecognisesOnlyTheUsualForm) {
  EXPECT_TRUE(is_uuid("123e4567-e89b-42d3-a456-426614174000"));
  EXPECT_TRUE(is_uuid("123E4567-E89B-42D3-A456-426614174000"));
  for (const char* text :
       {"", "123e4567-e89b-42d3-a456-42661417400", "123e4567-e89b-42d3-a456-4266141740000",
        "123e4567e89b-42d3-a456-4266141740000", "g23e4567-e89b-42d3-a456-426614174000",
        "123e4567-e89b-42d3-a456_426614174000", "{23e4567-e89b-42d3-a456-42661417400}"}) {
    EXPECT_FALSE(is_uuid(text)) << text;
  }
}

TEST(RandomHex, HasTheAskedLength) {
  EXPECT_EQ(random_hex(8).size(), 8U);
  EXPECT_EQ(random_hex(24).size(), 24U);
  EXPECT_EQ(random_hex(24).find_first_not_of("0123456789abcdef"), std::string::npos);
  EXPECT_NE(random_hex(24), random_hex(24));
}

}  // namespace
}  // namespace yume
