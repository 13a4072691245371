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

}  // namespace
}  // namespace yume
