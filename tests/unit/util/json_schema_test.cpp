// SPDX-License-Identifier: MIT
#include "util/json_schema.h"

#include "util/json_tree.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace yume {
namespace {

using Strings = std::vector<std::string>;

Strings problems(const char* schema, const std::string& value) {
  const auto parsed = JsonSchema::parse(schema);
  if (!parsed.ok()) return {"the schema " + parsed.error().message};
  return parsed->problems(read_json(value));
}

std::string refusal(const char* schema) {
  const auto parsed = parse_output_schema(schema);
  return parsed.ok() ? "" : parsed.error().message;
}

TEST(JsonSchema, TellsWhatDoesNotFit) {
  constexpr const char* k_schema =
      R"({"type":"object","properties":{"name":{"type":"string"},"n":{"type":"integer","minimum":3},)"
      R"("list":{"type":"array","items":{"type":"number"}}},)"
      R"("required":["name"],"additionalProperties":false})";
  EXPECT_EQ(problems(k_schema, R"({"name":"a","n":3,"list":[1,2.5]})"), Strings{});
  EXPECT_EQ(problems(k_schema, R"({"n":3})"), Strings{"root: Missing required property 'name'."});
  EXPECT_EQ(problems(k_schema, R"({"name":"a","list":[1,"x"]})"),
            Strings{"/list/1: Value type not permitted by 'type' constraint."});
  EXPECT_EQ(problems(k_schema, R"({"name":"a","z":1})").size(), 1U);
  EXPECT_EQ(problems(k_schema, "[]").size(), 1U);
}

TEST(JsonSchema, FollowsReferencesInside) {
  constexpr const char* k_schema =
      R"({"type":"object","properties":{"c":{"$ref":"#/$defs/n"}},"$defs":{"n":{"type":"object",)"
      R"("properties":{"next":{"$ref":"#/$defs/n"}}}}})";
  EXPECT_EQ(problems(k_schema, R"({"c":{"next":{"next":{}}}})"), Strings{});
  EXPECT_EQ(problems(k_schema, R"({"c":{"next":{"next":3}}})"),
            Strings{"/c/next/next: Value type not permitted by 'type' constraint."});
}

TEST(JsonSchema, RefusesWhatItCannotKeep) {
  EXPECT_EQ(refusal("{"), "is not valid JSON");
  EXPECT_EQ(refusal("[]"), "is not a JSON object");
  EXPECT_EQ(refusal(R"({"type":"array"})"), "must have the type object: the answer is one");
  EXPECT_EQ(refusal(R"({"$ref":"http://x/y"})"),
            "refers to 'http://x/y', and only references inside the schema (#/...) are followed");
  EXPECT_EQ(refusal(R"({"$ref":"file:///etc/passwd"})"),
            "refers to 'file:///etc/passwd', and only references inside the schema (#/...) are "
            "followed");
  EXPECT_EQ(refusal(R"({"$ref":"#/nope"})"), "refers to '#/nope', which it does not contain");
  for (const char* ring :
       {R"({"$ref":"#"})", R"({"allOf":[{"$ref":"#"}]})",
        R"({"$defs":{"a":{"$ref":"#/$defs/b"},"b":{"not":{"$ref":"#/$defs/a"}}}})"}) {
    EXPECT_EQ(refusal(ring), "refers back to itself without an end") << ring;
  }
  EXPECT_NE(refusal(R"({"properties":{"a":{"pattern":"^[a"}}})").find("cannot be read"),
            std::string::npos);
  EXPECT_NE(refusal(R"({"type":"nonsense"})"), "");
  EXPECT_EQ(refusal(R"({"properties":{"pattern":{"type":"string"},"$ref":{"type":"string"}}})"),
            "");
}

TEST(JsonSchema, DoesNotMatchLongTextsWithPatterns) {
  constexpr const char* k_schema = R"({"properties":{"a":{"type":"string","pattern":"^(a|b)*$"}}})";
  EXPECT_EQ(problems(k_schema, R"({"a":"abab"})"), Strings{});
  EXPECT_EQ(problems(k_schema, R"({"a":"c"})").size(), 1U);
  EXPECT_EQ(problems(k_schema, R"({"a":")" + std::string(1'000'000, 'a') + R"("})").size(), 1U);
}

}  // namespace
}  // namespace yume
