// SPDX-License-Identifier: MIT
#include "gemini/schema.h"

#include <gtest/gtest.h>

#include <regex>
#include <string>
#include <utility>
#include <vector>

namespace yume::gemini {
namespace {

std::string cleaned(const std::string& schema) {
  return clean_schema({schema}).text;
}

// A property's schema inside an object, where nothing is special about the outermost place.
std::string property(const std::string& schema) {
  const std::string whole = cleaned(R"({"type":"object","properties":{"p":)" + schema + "}}");
  const std::string head = R"({"type":"object","properties":{"p":)";
  EXPECT_TRUE(whole.starts_with(head)) << whole;
  return whole.substr(head.size(), whole.size() - head.size() - 2);
}

using Cases = std::vector<std::pair<std::string, std::string>>;

void expect_properties(const Cases& cases) {
  for (const auto& [given, expected] : cases) EXPECT_EQ(property(given), expected) << given;
}

TEST(CleanSchema, LeavesACleanSchemaAsItIs) {
  const std::string schema =
      R"({"type":"object","properties":{"path":{"type":"string","description":"Where"},)"
      R"("mode":{"type":"string","enum":["r","w"]},"depth":{"type":"integer","minimum":0,"maximum":9},)"
      R"("tags":{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":5},)"
      R"("at":{"anyOf":[{"type":"string","format":"date-time"},{"type":"null"}]}},)"
      R"("required":["path"],"additionalProperties":false})";
  EXPECT_EQ(cleaned(schema), schema);
}

TEST(CleanSchema, MakesAnObjectOfAnything) {
  for (const char* text : {"",
                           "not json",
                           "null",
                           "true",
                           "false",
                           "5",
                           "\"s\"",
                           "[]",
                           "{}",
                           "{\"type\":\"object\"}",
                           R"({"type":"string"})",
                           R"({"type":"array","items":{}})",
                           R"({"$ref":"#"})",
                           R"({"type":"object","properties":{}})",
                           R"({"properties":[]})",
                           R"({"type":"object","additionalProperties":false})",
                           R"({"enum":["a"]})",
                           R"({"anyOf":[{"type":"string"},{"type":"null"}]})",
                           "{\"type\":\"object\"",
                           "{\"a\":\"\xff\"}"}) {
    EXPECT_EQ(cleaned(text), k_no_parameters) << text;
  }
}

TEST(CleanSchema, DropsKeywordsTheServerDoesNotKnow) {
  EXPECT_EQ(
      cleaned(R"({"$schema":"http://json-schema.org/draft-07/schema#","$id":"x","title":"T",
        "type":"object","properties":{"p":{"type":"string","minLength":1,"pattern":"^a",
        "default":"a","examples":["a"],"x-odd":1,"$comment":"c","contentEncoding":"base64"}},
        "required":["p"],"not":{"required":["q"]},"if":{},"then":{},"else":{},
        "dependentRequired":{"p":["q"]},"minProperties":1,"unevaluatedProperties":false})"),
      R"({"type":"object","title":"T","properties":{"p":{"type":"string"}},"required":["p"]})");
}

TEST(CleanSchema, KeepsPropertiesWhoseNamesAreKeywords) {
  EXPECT_EQ(cleaned(R"({"type":"object","properties":{"$ref":{"type":"string"},"const":{"type":
        "integer"},"properties":{"type":"object","properties":{"type":{"type":"string"}}}},
        "required":["$ref"]})"),
            R"({"type":"object","properties":{"$ref":{"type":"string"},"const":{"type":"integer"},)"
            R"("properties":{"type":"object","properties":{"type":{"type":"string"}}}},)"
            R"("required":["$ref"]})");
}

TEST(CleanSchema, TurnsConstAndEnumsIntoWhatIsAllowed) {
  expect_properties({
      {R"J({"const":"a"})J", R"J({"type":"string","enum":["a"]})J"},
      {R"J({"type":"string","enum":["a","a","","b"]})J", R"J({"type":"string","enum":["a","b"]})J"},
      {R"J({"type":"string","enum":[]})J", R"J({"type":"string"})J"},
      {R"J({"type":"string","enum":[""]})J",
       R"J({"type":"string","description":"(always \"\")"})J"},
      {R"J({"enum":"a"})J", R"J({})J"},
      {R"J({"enum":["a",null],"description":"D"})J",
       R"J({"anyOf":[{"type":"string","description":"D","enum":["a"]},{"type":"null"}]})J"},
      {R"J({"enum":[1,2],"description":"How many"})J",
       R"J({"type":"integer","description":"How many (one of 1, 2)"})J"},
      {R"J({"type":"number","enum":[0.5,2],"title":"T"})J",
       R"J({"type":"number","description":"T (one of 0.5, 2)"})J"},
      {R"J({"const":7})J", R"J({"type":"integer","description":"(always 7)"})J"},
      {R"J({"const":true})J", R"J({"type":"boolean","description":"(always true)"})J"},
      {R"J({"const":null})J", R"J({"type":"null"})J"},
      {R"J({"type":"integer","enum":["1","2"]})J",
       R"J({"type":"integer","description":"(one of \"1\", \"2\")"})J"},
      {R"J({"enum":["a",1]})J",
       R"J({"anyOf":[{"type":"string","enum":["a"]},{"type":"integer","description":"(always 1)"}]})J"},
      {R"J({"enum":[{"a":1}]})J", R"J({"description":"(always {\"a\":1})"})J"},
  });
}

TEST(CleanSchema, SplitsTypesIntoChoices) {
  expect_properties({
      {R"({"type":["string","null"],"description":"D"})",
       R"({"anyOf":[{"type":"string","description":"D"},{"type":"null"}]})"},
      {R"({"type":["string"]})", R"({"type":"string"})"},
      {R"({"type":["integer","number"]})", R"({"type":"number"})"},
      {R"({"type":[]})", R"({})"},
      {R"({"type":"STRING"})", R"({"type":"string"})"},
      {R"({"type":"any"})", R"({})"},
      {R"({"type":5})", R"({})"},
      {R"({"type":["array","object"],"items":{"type":"string"},"properties":{"a":{"type":"null"}}})",
       R"({"anyOf":[{"type":"array","items":{"type":"string"}},)"
       R"({"type":"object","properties":{"a":{"type":"null"}}}]})"},
      {R"({"properties":{"a":true}})", R"({"type":"object","properties":{"a":{}}})"},
      {R"({"items":{"type":"string"}})", R"({"type":"array","items":{"type":"string"}})"},
  });
}

TEST(CleanSchema, UnifiesChoices) {
  expect_properties({
      {R"({"oneOf":[{"type":"string"},{"type":"integer"}]})",
       R"({"anyOf":[{"type":"string"},{"type":"integer"}]})"},
      {R"({"anyOf":[{"type":"string"}]})", R"({"type":"string"})"},
      {R"({"anyOf":[{"type":"string"},{"type":"string"}]})", R"({"type":"string"})"},
      {R"({"anyOf":[{"type":"string"},{}],"description":"D"})", R"({"description":"D"})"},
      {R"({"anyOf":[{"type":"string"},true]})", R"({})"},
      {R"({"anyOf":[{"type":"string"},false]})", R"({"type":"string"})"},
      {R"({"anyOf":[]})", R"({})"},
      {R"({"anyOf":[{"type":"string"},{"anyOf":[{"type":"null"},{"type":"boolean"}]}]})",
       R"({"anyOf":[{"type":"string"},{"type":"null"},{"type":"boolean"}]})"},
      {R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}},
           "anyOf":[{"required":["a"]},{"required":["b"]}]})",
       R"({"type":"object","properties":{"a":{"type":"string"},"b":{"type":"string"}}})"},
      {R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"],
           "oneOf":[{"properties":{"b":{"type":"null"}}},{"properties":{"c":{"type":"null"}}}]})",
       R"({"anyOf":[{"type":"object","properties":{"b":{"type":"null"},"a":{"type":"string"}},)"
       R"("required":["a"]},{"type":"object","properties":{"c":{"type":"null"},)"
       R"("a":{"type":"string"}},"required":["a"]}]})"},
  });
}

TEST(CleanSchema, JoinsTheChoicesOfTheWhole) {
  EXPECT_EQ(cleaned(R"({"oneOf":[{"type":"object","properties":{"a":{"type":"string"},
        "k":{"type":"string"}},"required":["a","k"]},{"type":"object","properties":
        {"b":{"type":"string"},"k":{"type":"integer"}},"required":["k"]},{"type":"null"}]})"),
            R"({"type":"object","properties":{"a":{"type":"string"},"k":{"type":"string"},)"
            R"("b":{"type":"string"}},"required":["k"]})");
}

TEST(CleanSchema, MergesAllOf) {
  EXPECT_EQ(cleaned(R"({"allOf":[{"type":"object","properties":{"a":{"type":"string"}},
        "required":["a"]},{"properties":{"b":{"type":"integer"}},"required":["b","a"]}],
        "properties":{"c":{"type":"null"}}})"),
            R"({"type":"object","properties":{"c":{"type":"null"},"a":{"type":"string"},)"
            R"("b":{"type":"integer"}},"required":["a","b"]})");
}

TEST(CleanSchema, PutsLocalReferencesInPlace) {
  EXPECT_EQ(
      cleaned(R"({"type":"object","properties":{
        "at":{"$ref":"#/$defs/Point","description":"Here"},
        "to":{"$ref":"#/definitions/a~1b%20c"},"x":{"$ref":"#/properties/at/description"},
        "far":{"$ref":"https://example.com/s.json"},"none":{"$ref":"#/$defs/Nothing"},
        "odd":{"$ref":5,"type":"string"},"first":{"$ref":"#/anyList/0"}},
        "$defs":{"Point":{"type":"object","properties":{"x":{"type":"number"}},
                 "description":"A point"}},
        "anyList":[{"type":"boolean"}],
        "definitions":{"a/b c":{"$ref":"#/$defs/Point"}}})"),
      R"({"type":"object","properties":{)"
      R"("at":{"type":"object","description":"Here","properties":{"x":{"type":"number"}}},)"
      R"("to":{"type":"object","description":"A point","properties":{"x":{"type":"number"}}},)"
      R"("x":{},"far":{},"none":{},"odd":{"type":"string"},"first":{"type":"boolean"}}})");
}

TEST(CleanSchema, BreaksCycles) {
  EXPECT_EQ(cleaned(R"({"type":"object","properties":{"node":{"$ref":"#/$defs/Node"}},
        "$defs":{"Node":{"type":"object","properties":{"value":{"type":"string"},
        "children":{"type":"array","items":{"$ref":"#/$defs/Node"}}}}}})"),
            R"({"type":"object","properties":{"node":{"type":"object","properties":{)"
            R"("value":{"type":"string"},)"
            R"("children":{"type":"array","items":{"type":"object"}}}}}})");
  EXPECT_EQ(property(R"({"$ref":"#/properties/p"})"), "{}");
}

TEST(CleanSchema, KeepsLimitsThatMakeSense) {
  expect_properties({
      {R"({"type":"integer","exclusiveMinimum":0,"exclusiveMaximum":10})",
       R"({"type":"integer","minimum":1,"maximum":9})"},
      {R"({"type":"number","exclusiveMinimum":0})", R"({"type":"number","minimum":0})"},
      {R"({"type":"number","exclusiveMinimum":true,"minimum":1})",
       R"({"type":"number","minimum":1})"},
      {R"({"type":"integer","minimum":-9007199254740991,"maximum":9007199254740991})",
       R"({"type":"integer"})"},
      {R"({"type":"integer","minimum":"1","maximum":null})", R"({"type":"integer"})"},
      {R"({"type":"integer","minimum":5,"maximum":1})", R"({"type":"integer"})"},
      {R"({"type":"integer","format":"int64"})", R"({"type":"integer","format":"int64"})"},
      {R"({"type":"integer","format":"uint8"})", R"({"type":"integer"})"},
      {R"({"type":"string","format":"uri"})", R"({"type":"string"})"},
      {R"({"type":"string","format":"date"})", R"({"type":"string","format":"date"})"},
      {R"({"type":"array","minItems":-1,"maxItems":99999})", R"({"type":"array","items":{}})"},
      {R"({"type":"array","items":true,"minItems":3,"maxItems":2})",
       R"({"type":"array","items":{}})"},
      {R"({"type":"array","items":[{"type":"string"},{"type":"integer"}],"additionalItems":false})",
       R"({"type":"array","prefixItems":[{"type":"string"},{"type":"integer"}]})"},
      {R"({"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"null"}})",
       R"({"type":"array","prefixItems":[{"type":"string"}],"items":{"type":"null"}})"},
  });
}

TEST(CleanSchema, RequiresOnlyPropertiesThatAreThere) {
  EXPECT_EQ(cleaned(R"({"type":"object","properties":{"a":{},"b":false,"":{"type":"string"}},
        "required":["a","a","b","c",5]})"),
            R"({"type":"object","properties":{"a":{}},"required":["a"]})");
  EXPECT_EQ(cleaned(R"({"type":"object","properties":{"a":{}},"required":"a"})"),
            R"({"type":"object","properties":{"a":{}}})");
}

TEST(CleanSchema, KeepsAdditionalPropertiesOnObjectsOnly) {
  expect_properties({
      {R"({"type":"object","additionalProperties":{"type":"string","default":"x"}})",
       R"({"type":"object","additionalProperties":{"type":"string"}})"},
      {R"({"type":"object","additionalProperties":true})", R"({"type":"object"})"},
      {R"({"type":"object","additionalProperties":{}})", R"({"type":"object"})"},
      {R"({"type":"object","additionalProperties":"no"})", R"({"type":"object"})"},
      {R"({"type":"object","patternProperties":{"^x":{}},"additionalProperties":false})",
       R"({"type":"object"})"},
      {R"({"type":"string","additionalProperties":false})", R"({"type":"string"})"},
  });
  EXPECT_EQ(cleaned(R"({"type":"object","additionalProperties":{"type":"string"}})"),
            R"({"type":"object","additionalProperties":{"type":"string"}})");
}

TEST(CleanFunctionName, KeepsGoodNames) {
  for (const char* name : {"Read", "_x", "mcp__server__tool", "a.b-c_9"}) {
    EXPECT_EQ(clean_function_name(name), name);
  }
}

TEST(CleanFunctionName, ReplacesWhatIsNotAllowed) {
  EXPECT_EQ(clean_function_name(""), "_");
  EXPECT_EQ(clean_function_name("9lives"), "_9lives");
  EXPECT_EQ(clean_function_name("-x"), "_-x");
  EXPECT_EQ(clean_function_name("my tool/get:all"), "my_tool_get_all");
  EXPECT_EQ(clean_function_name("\u00fcber"), "___ber");
}

TEST(CleanFunctionName, CutsLongNamesAndKeepsThemApart) {
  const std::string common(70, 'a');
  const std::string one = clean_function_name(common + "one");
  const std::string two = clean_function_name(common + "two");
  EXPECT_EQ(one.size(), 64U);
  EXPECT_NE(one, two);
  EXPECT_EQ(one.substr(0, 55), common.substr(0, 55));
  EXPECT_EQ(clean_function_name(one), one);
  EXPECT_TRUE(std::regex_match(one, std::regex("[A-Za-z_][A-Za-z0-9_.-]{0,63}")));
  EXPECT_EQ(clean_function_name(std::string(64, 'a')), std::string(64, 'a'));
}

}  // namespace
}  // namespace yume::gemini
