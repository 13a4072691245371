// SPDX-License-Identifier: MIT
#include "util/json_tree.h"

#include <gtest/gtest.h>

namespace yume {
namespace {

TEST(JsonTree, IsDiscardedWhenItIsNone) {
  for (const char* text : {"", "{", "[1,]", "{} {}", "nul", "\"\xFF\""}) {
    EXPECT_TRUE(read_json(text).is_discarded()) << text;
    EXPECT_TRUE(read_ordered_json(text).is_discarded()) << text;
  }
}

TEST(JsonTree, KeepsTheOrderOfKeysWhenAsked) {
  constexpr const char* k_text = R"({"b":1,"a":[true,null,"\u00e9"]})";
  EXPECT_EQ(write_json(read_ordered_json(k_text)), "{\"b\":1,\"a\":[true,null,\"\xC3\xA9\"]}");
  EXPECT_EQ(write_json(read_json(k_text)), "{\"a\":[true,null,\"\xC3\xA9\"],\"b\":1}");
}

TEST(JsonTree, IsLaidOutAsAsked) {
  const auto tree = read_ordered_json(R"({"a":["\u00e9"]})");
  EXPECT_EQ(write_json(tree, {.indent = 1, .indent_character = '\t', .ascii_only = true}),
            "{\n\t\"a\": [\n\t\t\"\\u00e9\"\n\t]\n}");
}

TEST(JsonTree, ReplacesWhatIsNotUtf8) {
  EXPECT_EQ(write_json(nlohmann::json("a\xFF")), "\"a\xEF\xBF\xBD\"");
}

}  // namespace
}  // namespace yume
