// SPDX-License-Identifier: MIT
#include "gemini/json_path.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume::gemini {
namespace {

// "a", 3 as `/a/#3`; a trailing `[]` as `/[]`.
std::string shown(std::string_view text) {
  const auto path = parse_json_path(text, 128);
  if (!path.ok()) return "error";
  std::string out;
  for (const PathStep& step : path->steps) {
    const auto* index = std::get_if<std::size_t>(&step);
    out += index != nullptr ? "/#" + std::to_string(*index) : "/" + std::get<std::string>(step);
  }
  return path->names_array ? out + "/[]" : out;
}

TEST(ParseJsonPath, ReadsNormalisedAndShortPaths) {
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"$", ""},
      {"$.location", "/location"},
      {"$.recipe.ingredients[3].name", "/recipe/ingredients/#3/name"},
      {"$['recipe'][\"steps\"][0]", "/recipe/steps/#0"},
      {"$.tags[]", "/tags/[]"},
      {"$[]", "/[]"},
      {"$['']", "/"},
      {"$['a.b[0]']", "/a.b[0]"},
      {"$['it\\'s']", "/it's"},
      {"$[\"say \\\"hi\\\"\"]", "/say \"hi\""},
      {"$['tab\\tline\\nback\\\\slash\\/']", "/tab\tline\nback\\slash/"},
      {"$['\\u00e9\\ud83d\\ude00']", "/\u00e9\U0001F600"},
      {"$.max-results", "/max-results"},
      {"$.gr\u00f6\u00dfe", "/gr\u00f6\u00dfe"},
      {"$.a[18446744073709551615]", "/a/#18446744073709551615"},
  };
  for (const auto& [path, expected] : cases) EXPECT_EQ(shown(path), expected) << path;
}

TEST(ParseJsonPath, RefusesWhatNamesNoOrSeveralPlaces) {
  for (const char* path : {"",
                           "location",
                           "$location",
                           "$.",
                           "$..a",
                           "$.a.",
                           "$.*",
                           "$[*]",
                           "$[-1]",
                           "$[1:2]",
                           "$[?@.a]",
                           "$[01]",
                           "$[1",
                           "$['a",
                           "$['a'",
                           "$['a\\",
                           "$['\\x41']",
                           "$['\\ud83d']",
                           "$['\\ude00']",
                           "$['\\u12']",
                           "$['a','b']",
                           "$.a[].b",
                           "$.a[] ",
                           "$ .a",
                           "$[ 1 ]",
                           "$.a[18446744073709551616]"}) {
    EXPECT_EQ(shown(path), "error") << path;
  }
}

TEST(ParseJsonPath, BoundsTheNumberOfSteps) {
  std::string path = "$";
  for (int i = 0; i < 128; ++i) path += ".a";
  EXPECT_TRUE(parse_json_path(path, 128).ok());
  const auto refused = parse_json_path(path + ".a", 128);
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().code, ErrorCode::too_large);
}

}  // namespace
}  // namespace yume::gemini
