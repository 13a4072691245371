// SPDX-License-Identifier: MIT
#include "util/path_text.h"

#include <gtest/gtest.h>

#include <string>

namespace yume {
namespace {

TEST(PathText, GoesBothWaysUnchanged) {
  for (const std::string text : {"", "a", "/a/b.txt", "/\xC3\xA9/\xF0\x9F\x98\x80", "a b\nc"}) {
    EXPECT_EQ(to_utf8(path_from_utf8(text)), text);
    EXPECT_EQ(to_generic_utf8(path_from_utf8(text)), text);
  }
}

TEST(PathText, KeepsNamesThatAreNotUtf8WhereTheSystemHasThem) {
  const std::string name =
      "a\xFF"
      "b";
  const bool has_bytes = sizeof(std::filesystem::path::value_type) == 1;
  EXPECT_EQ(to_utf8(path_from_utf8(name)), has_bytes ? name
                                                     : "a\xEF\xBF\xBD"
                                                       "b");
}

}  // namespace
}  // namespace yume
