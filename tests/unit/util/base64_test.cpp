// SPDX-License-Identifier: MIT
#include "util/base64.h"

#include <gtest/gtest.h>

namespace yume {
namespace {

TEST(Base64, GivesTheVectorsOfTheStandard) {
  EXPECT_EQ(base64(""), "");
  EXPECT_EQ(base64("f"), "Zg==");
  EXPECT_EQ(base64("fo"), "Zm8=");
  EXPECT_EQ(base64("foo"), "Zm9v");
  EXPECT_EQ(base64("foob"), "Zm9vYg==");
  EXPECT_EQ(base64("fooba"), "Zm9vYmE=");
  EXPECT_EQ(base64("foobar"), "Zm9vYmFy");
}

TEST(Base64, UsesTheAlphabetForUrlsWithoutPadding) {
  EXPECT_EQ(base64("\xfb\xff\xfe"), "+//+");
  EXPECT_EQ(base64_url("\xfb\xff\xfe"), "-__-");
  EXPECT_EQ(base64_url("f"), "Zg");
}

TEST(Base64, IsReadBack) {
  std::string bytes;
  for (int i = 0; i < 300; ++i) {
    EXPECT_EQ(from_base64(base64(bytes)), bytes);
    bytes.push_back(static_cast<char>(i * 7));
  }
  EXPECT_EQ(from_base64("Zg"), "f") << "the padding may be missing";
  EXPECT_EQ(from_base64("Zm9vYmFy", 3), "foo");
  EXPECT_EQ(from_base64(""), "");
  for (const char* other : {"Z", "Zm9v!", "Zm 9v", "Zm9v\n", "Z===", "=Zg=", "-__-"}) {
    EXPECT_EQ(from_base64(other), std::nullopt) << other;
    EXPECT_FALSE(is_base64(other)) << other;
  }
  EXPECT_TRUE(is_base64("Zg=="));
  EXPECT_FALSE(is_base64(""));
}

}  // namespace
}  // namespace yume
