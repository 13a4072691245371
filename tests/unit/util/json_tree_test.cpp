// SPDX-License-Identifier: MIT
#include "util/json_tree.h"

#include <gtest/gtest.h>

#include <string>

#include "util/json_io.h"

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

// What the fast reader takes must be what the other one makes of it.
TEST(JsonTree, ReadsTheSameByBothReaders) {
  const std::string long_text(2'000'000, 'x');
  const std::string deep = std::string(300, '[') + std::string(300, ']');
  for (const std::string& text :
       {std::string(R"({"b":1,"a":-1,"c":1.0,"d":-0,"e":1e3,"f":true,"g":null,"h":[],"i":{}})"),
        std::string(R"({"same":1,"other":2,"same":{"again":[1,2]}})"),
        std::string(
            R"([18446744073709551615,-9223372036854775808,123456789012345678901234567890])"),
        std::string(R"("\u00e9\ud83d\ude00 \"\\\/\b")"), std::string("  [ 1 , 2 ]\n"),
        std::string("17"), std::string(R"(["\ud800"])"), std::string("[\"\xff\"]"),
        std::string("[1e999]"), std::string("[01]"), std::string("{}x"), std::string(""),
        std::string(" "), std::string("[1,]"), std::string("\"a\nb\""), "\"" + long_text + "\"",
        deep}) {
    const auto tree = nlohmann::json::parse(text, nullptr, false);
    EXPECT_EQ(read_json(text).type(), tree.type()) << text.substr(0, 80);
    EXPECT_EQ(read_json(text).is_discarded(), tree.is_discarded()) << text.substr(0, 80);
    if (tree.is_discarded()) continue;
    EXPECT_EQ(read_json(text), tree) << text.substr(0, 80);
    EXPECT_EQ(write_json(read_ordered_json(text)), nlohmann::ordered_json::parse(text).dump());
  }
  EXPECT_TRUE(read_json("1").is_number_unsigned());
  EXPECT_TRUE(read_json("-1").is_number_integer());
}

TEST(JsonTree, ChecksTheDepthToTheLevel) {
  for (int depth = 1; depth < 140; ++depth) {
    const auto count = static_cast<std::size_t>(depth);
    const std::string text = std::string(count, '[') + std::string(count, ']');
    EXPECT_EQ(check_json(text, 128).ok(), depth <= 128) << depth;
    EXPECT_EQ(check_json(text, depth).ok(), true) << depth;
    EXPECT_EQ(check_json(text, depth - 1).ok(), false) << depth;
  }
}

}  // namespace
}  // namespace yume
