// SPDX-License-Identifier: MIT
#include "platform/charset.h"

#include <gtest/gtest.h>

#include <string>

namespace yume::platform {
namespace {

constexpr int k_last = static_cast<int>(Charset::x_mac_cyrillic);

TEST(CharsetContract, KnowsAllOfThem) {
  for (int i = 0; i <= k_last; ++i) {
    const auto text = decode_text("plain text, 123\n", static_cast<Charset>(i));
    ASSERT_TRUE(text.ok()) << i << ": " << text.error().message;
    EXPECT_EQ(*text, "plain text, 123\n") << i;
  }
}

TEST(CharsetContract, TakesAnyBytes) {
  std::string all;
  for (int repeat = 0; repeat < 300; ++repeat) {
    for (int byte = 0; byte < 256; ++byte) all.push_back(static_cast<char>(byte ^ repeat));
  }
  for (int i = 0; i <= k_last; ++i) {
    const auto text = decode_text(all, static_cast<Charset>(i));
    ASSERT_TRUE(text.ok()) << i;
    EXPECT_GE(text->size(), all.size() / 4) << i;
    EXPECT_LE(text->size(), all.size() * 4) << i;
  }
}

// Longer than what is decoded at a time, with a character across each border.
TEST(CharsetContract, LosesNothingInALongText) {
  std::string bytes = "x";
  std::string text = "x";
  for (int i = 0; i < 50'000; ++i) {
    bytes += "\xC4\xE3";
    text += "\u4F60";
  }
  EXPECT_EQ(decode_text(bytes, Charset::gb18030).value(), text);
}

}  // namespace
}  // namespace yume::platform
