// SPDX-License-Identifier: MIT
#include "util/utf8.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace yume {
namespace {

TEST(Utf8, RoundTripsEveryCodePoint) {
  for (char32_t code = 0; code <= 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string bytes;
    append_utf8(bytes, code);
    const DecodedCharacter decoded = decode_utf8(bytes, 0);
    ASSERT_EQ(decoded.code_point, code);
    ASSERT_EQ(decoded.length, bytes.size());
    ASSERT_TRUE(decoded.valid);
  }
}

TEST(Utf8, RefusesOverlongFormsSurrogatesAndTooLargeCodePoints) {
  for (const char* bytes : {"\xC0\x80", "\xC1\xBF", "\xE0\x9F\xBF", "\xF0\x8F\xBF\xBF",
                            "\xED\xA0\x80", "\xED\xBF\xBF", "\xF4\x90\x80\x80", "\xF5\x80\x80\x80",
                            "\xFE", "\xFF", "\x80", "\xBF", "\xE2\x82", "\xF0\x9F\x98", "\xC3"}) {
    EXPECT_FALSE(is_valid_utf8(bytes));
    EXPECT_FALSE(decode_utf8(bytes, 0).valid);
    EXPECT_EQ(decode_utf8(bytes, 0).code_point, U'\xFFFD');
  }
}

TEST(Utf8, ReplacesEachMaximalInvalidPrefixOnce) {
  EXPECT_EQ(to_valid_utf8("a\xF0\x9F\x98z"), "a\xEF\xBF\xBDz");
  EXPECT_EQ(to_valid_utf8("\xE2\x82\xE2\x82\xAC"), "\xEF\xBF\xBD\xE2\x82\xAC");
  EXPECT_EQ(to_valid_utf8("\xFF\xFF"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(to_valid_utf8("plain \xC3\xA9"), "plain \xC3\xA9");
}

TEST(Utf8, RepairsRandomBytes) {
  std::mt19937 random(5);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(random() % 12, '\0');
    for (char& c : bytes) c = static_cast<char>(random() % 256);
    const std::string repaired = to_valid_utf8(bytes);
    EXPECT_TRUE(is_valid_utf8(repaired));
    EXPECT_EQ(to_valid_utf8(repaired), repaired);
    EXPECT_EQ(repaired == bytes, is_valid_utf8(bytes));
  }
}

TEST(Utf8, GoesToUtf16AndBack) {
  EXPECT_EQ(utf16_from_utf8("a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z"), u"aé€\U0001F600z");
  EXPECT_EQ(utf8_from_utf16(u"aé€\U0001F600z"), "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z");
  EXPECT_EQ(utf16_from_utf8("a\xFFz"), u"a\uFFFDz");
  const char16_t lone[] = {u'a', 0xD83D, u'b', 0xDE00, 0xDE00, 0xD83D};
  EXPECT_EQ(utf8_from_utf16({lone, 6}),
            "a\xEF\xBF\xBD"
            "b\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(utf8_from_utf16(u""), "");
}

TEST(Utf8, CutsAtCharacterBordersFromBothEnds) {
  const std::string text = "a\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80z";  // 1 + 2 + 3 + 4 + 1 bytes
  const std::size_t prefix_sizes[] = {0, 1, 1, 3, 3, 3, 6, 6, 6, 6, 10, 11, 11};
  const std::size_t suffix_sizes[] = {0, 1, 1, 1, 1, 5, 5, 5, 8, 8, 10, 11, 11};
  for (std::size_t limit = 0; limit < std::size(prefix_sizes); ++limit) {
    EXPECT_EQ(utf8_prefix(text, limit), text.substr(0, prefix_sizes[limit])) << limit;
    EXPECT_EQ(utf8_suffix(text, limit), text.substr(text.size() - suffix_sizes[limit])) << limit;
  }
}

TEST(Utf8, CutsTextThatIsNotUtf8WithinTheLimit) {
  const std::string bytes(20, '\x80');
  EXPECT_LE(utf8_prefix(bytes, 10).size(), 10U);
  EXPECT_GE(utf8_prefix(bytes, 10).size(), 7U);
  EXPECT_LE(utf8_suffix(bytes, 10).size(), 10U);
  EXPECT_GE(utf8_suffix(bytes, 10).size(), 7U);
}

}  // namespace
}  // namespace yume
