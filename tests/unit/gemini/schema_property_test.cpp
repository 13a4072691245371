// SPDX-License-Identifier: MIT
// What holds for every cleaned schema, whatever it was made from: stated here as a validator of its
// own, and tried on schemas that real servers send, on hostile ones and on random ones.
#include "gemini/schema.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace yume::gemini {
namespace {

using Json = nlohmann::ordered_json;

const std::set<std::string> k_any_type = {"type", "description", "title"};
const std::set<std::string> k_types = {"object",  "array",   "string", "number",
                                       "integer", "boolean", "null"};

std::set<std::string> keywords_of(const std::string& type) {
  std::set<std::string> allowed = k_any_type;
  if (type == "object")
    allowed.merge(std::set<std::string>{"properties", "required", "additionalProperties"});
  if (type == "array")
    allowed.merge(std::set<std::string>{"items", "prefixItems", "minItems", "maxItems"});
  if (type == "string") allowed.merge(std::set<std::string>{"enum", "format"});
  if (type == "integer" || type == "number") {
    allowed.merge(std::set<std::string>{"minimum", "maximum", "format"});
  }
  return allowed;
}

// The first thing wrong with a cleaned schema; empty when it is good.
std::string problem_of(const Json& schema, int depth) {
  if (!schema.is_object()) return "not an object: " + schema.dump();
  if (depth > 13) return "too deep";
  if (schema.contains("anyOf")) {
    const Json& choices = schema["anyOf"];
    if (schema.size() != 1) return "anyOf has siblings: " + schema.dump();
    if (!choices.is_array() || choices.size() < 2 || choices.size() > 32) return "bad anyOf";
    for (const Json& choice : choices) {
      if (choice.contains("anyOf")) return "anyOf in anyOf";
      if (auto problem = problem_of(choice, depth + 1); !problem.empty()) return problem;
    }
    return "";
  }
  const std::string type = schema.contains("type") ? schema["type"].get<std::string>() : "";
  if (!type.empty() && !k_types.contains(type)) return "unknown type " + type;
  for (const auto& [keyword, value] : schema.items()) {
    if (!keywords_of(type).contains(keyword)) return keyword + " on '" + type + "'";
  }
  for (const char* text : {"description", "title"}) {
    if (!schema.contains(text)) continue;
    const bool good = schema[text].is_string() && schema[text].get<std::string>().size() <= 2'000;
    if (!good) return std::string("bad ") + text;
  }
  if (schema.contains("enum")) {
    std::set<std::string> seen;
    for (const Json& value : schema["enum"]) {
      if (!value.is_string() || value == "" || !seen.insert(value).second) return "bad enum";
    }
    if (seen.empty() || seen.size() > 256) return "enum of a bad size";
  }
  for (const char* limit : {"minimum", "maximum", "minItems", "maxItems"}) {
    if (schema.contains(limit) && !schema[limit].is_number()) return std::string("bad ") + limit;
  }
  if (type == "array" && !schema.contains("items") && !schema.contains("prefixItems")) {
    return "array without items";
  }
  if (schema.contains("required")) {
    std::set<std::string> seen;
    for (const Json& name : schema["required"]) {
      if (!schema.contains("properties") || !schema["properties"].contains(name)) {
        return "requires what is not there: " + name.dump();
      }
      if (!seen.insert(name).second) return "requires twice";
    }
  }
  if (schema.contains("properties")) {
    for (const auto& [name, property] : schema["properties"].items()) {
      if (auto problem = problem_of(property, depth + 1); !problem.empty()) return problem;
    }
  }
  if (schema.contains("items")) {
    if (auto problem = problem_of(schema["items"], depth + 1); !problem.empty()) return problem;
  }
  for (const Json& item : schema.value("prefixItems", Json::array())) {
    if (auto problem = problem_of(item, depth + 1); !problem.empty()) return problem;
  }
  if (schema.contains("additionalProperties") && schema["additionalProperties"] != Json(false)) {
    return problem_of(schema["additionalProperties"], depth + 1);
  }
  return "";
}

void expect_good(const std::string& given) {
  const std::string shown = given.substr(0, 600);
  const RawJson once = clean_schema({given});
  const Json schema = Json::parse(once.text, nullptr, /*allow_exceptions=*/false);
  ASSERT_TRUE(schema.is_object()) << shown;
  EXPECT_EQ(schema.value("type", ""), "object") << shown;
  EXPECT_EQ(problem_of(schema, 0), "") << shown << "\n" << once.text.substr(0, 2'000);
  EXPECT_LE(once.text.size(), 3'000'000U) << shown;
  EXPECT_EQ(clean_schema(once).text, once.text) << shown;
}

std::string nested(int levels, const std::string& open, const std::string& leaf,
                   const std::string& close) {
  std::string text;
  for (int i = 0; i < levels; ++i) text += open;
  text += leaf;
  for (int i = 0; i < levels; ++i) text += close;
  return text;
}

std::string many_properties(int count) {
  std::string text = R"({"type":"object","properties":{)";
  for (int i = 0; i < count; ++i) {
    text += (i > 0 ? "," : "") + ("\"p" + std::to_string(i)) + R"(":{"type":["string","null"]})";
  }
  return text + "}}";
}

// Each definition uses the next one twice: 2^n when put in place.
std::string doubling(int levels) {
  std::string text = R"({"type":"object","properties":{"a":{"$ref":"#/$defs/D0"}},"$defs":{)";
  for (int i = 0; i < levels; ++i) {
    const std::string next = R"({"$ref":"#/$defs/D)" + std::to_string(i + 1) + "\"}";
    text += "\"D" + std::to_string(i) +
            R"(":{"type":"object","description":"level","properties":{"l":)" + next + R"(,"r":)" +
            next + "}},";
  }
  return text + "\"D" + std::to_string(levels) + R"(":{"type":"string"}}})";
}

std::vector<std::string> nasty_schemas() {
  std::vector<std::string> all = {
      // As generators write them: zod, pydantic, TypeBox, OpenAPI converters.
      R"({"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"query":{"type":"string","minLength":1,"maxLength":400},"limit":{"type":"integer","exclusiveMinimum":0,"maximum":9007199254740991,"default":10}},"required":["query"],"additionalProperties":false})",
      R"({"title":"searchArguments","type":"object","properties":{"q":{"title":"Q","anyOf":[{"type":"string"},{"type":"null"}],"default":null},"f":{"$ref":"#/$defs/Filter"},"any":{"title":"Any"}},"$defs":{"Filter":{"title":"Filter","type":"object","properties":{"tags":{"items":{"type":"string"},"type":"array","uniqueItems":true},"kind":{"const":"x","default":"x"}},"required":["kind"]}}})",
      R"({"type":"object","properties":{"op":{"oneOf":[{"type":"object","properties":{"kind":{"const":"add"},"n":{"type":"number"}},"required":["kind","n"]},{"type":"object","properties":{"kind":{"const":"del"}},"required":["kind"]}],"discriminator":{"propertyName":"kind"}}}})",
      R"({"type":"object","properties":{"a":{"type":"string","nullable":true,"example":"x","readOnly":true}},"minProperties":1})",
      R"({"type":"object","patternProperties":{"^S_":{"type":"string"}},"additionalProperties":false})",
      R"({"type":"object","properties":{"m":{"type":"object","additionalProperties":{"type":"array","items":{"$ref":"#"}}}}})",
      R"({"type":"object","properties":{"a":{"allOf":[{"$ref":"#/definitions/A"},{"$ref":"#/definitions/B"}]}},"definitions":{"A":{"properties":{"x":{"type":"string"}},"required":["x"]},"B":{"allOf":[{"$ref":"#/definitions/A"},{"properties":{"y":{"type":"integer"}}}]}}})",
      R"({"type":"object","properties":{"e":{"type":"string","enum":["a",1,null,true,{"b":2},[3],""]}}})",
      R"({"type":"object","properties":{"t":{"type":["string","number","integer","boolean","object","array","null"]}}})",
      R"({"type":["object","null"],"properties":{"a":{"type":"string"}}})",
      R"({"type":"object","properties":{"a":{"not":{"type":"null"}},"b":{"if":{"type":"string"},"then":{"minLength":1}}}})",
      R"({"type":"object","properties":{"pair":{"type":"array","items":[{"type":"number"},{"type":"number"}],"minItems":2,"maxItems":2},"set":{"type":"array"}}})",
      R"({"type":"object","properties":{"a":{"type":"array","contains":{"type":"string"},"items":false}}})",
      R"({"type":"object","properties":{"a":{"type":"string","format":"email"},"b":{"type":"string","format":"date-time"},"c":{"type":"number","format":"double"},"d":{"format":"uuid"}}})",
      R"({"anyOf":[{"type":"object","properties":{"a":{"type":"string"}}},{"$ref":"#/anyOf/0"}]})",
      R"({"allOf":[{"$ref":"#"}]})",
      R"({"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/B"},"B":{"$ref":"#/$defs/A"}}})",
      R"({"$ref":"#/$defs/A","$defs":{"A":{"type":"object","properties":{"self":{"$ref":"#/$defs/A"},"up":{"$ref":"#"}}}}})",
      R"({"type":"object","properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/properties/a"}}})",
      R"({"type":"object","properties":{"a":{"$dynamicRef":"#x","$recursiveRef":"#"}}})",
      R"({"type":"object","required":["x"],"properties":null})",
      R"({"type":"object","properties":{"a":null,"b":[],"c":"string","d":7,"e":true,"f":false}})",
      R"({"type":"object","properties":{"a":{"type":"string","description":["not","text"],"title":5}}})",
      R"({"type":"object","properties":{"a":{"enum":{}},"b":{"enum":[[]]},"c":{"anyOf":{}},"d":{"anyOf":[5]}}})",
      R"({"type":"object","properties":{"a":{"minimum":"0","maximum":[],"type":"integer"}}})",
      R"({"type":"object","properties":{"a":{"type":"integer","minimum":1e400}}})",
      R"({"type":"object","properties":{"a":{"const":{"deep":[1,{"x":null}]}}}})",
      R"({"type":"object","properties":{"\u0000":{"type":"string"},"a\"b":{"type":"string"},"é":{"type":"string"}},"required":["é","a\"b"]})",
      R"({"type":"object","properties":{"a":{"type":"string","description":"\ud83d\ude00"}}})",
      R"({"type":"object","properties":{"a":{"type":"string","description":"\ud83d"}}})",
      R"({"type":"object","properties":{"a":{"anyOf":[{"const":1},{"const":2},{"const":"x"}],"description":"d"}}})",
      R"({"type":"object","properties":{"a":{"type":"object","anyOf":[{"type":"object","required":["x"]},{"type":"string"}]}}})",
      R"({"type":"object","properties":{"a":{"oneOf":[{"oneOf":[{"oneOf":[{"type":["string","null"]},{"enum":[1,"b"]}]}]}]}}})",
      R"({"type":"object","properties":{"type":{"type":"object","properties":{"enum":{"type":"string"}}}}})",
      R"({"type":"object","additionalProperties":{"$ref":"#/additionalProperties"}})",
      "[{\"type\":\"object\"}]",
      "\"object\"",
      "{",
      "",
      "nul",
      "{\"type\":\"object\"}}",
      nested(40, R"({"type":"object","properties":{"a":)", R"({"type":"string"})", "}}"),
      nested(40, R"({"type":"array","items":)", R"({"type":"string"})", "}"),
      R"({"type":"object","properties":{"a":)" +
          nested(30, R"({"anyOf":[{"type":"null"},)", R"({"type":"string"})", "]}") + "}}",
      R"({"type":"object","properties":{"a":)" +
          nested(30, R"({"allOf":[)", R"({"type":"string"})", "]}") + "}}",
      nested(100'000, "[", "", "]"),
      nested(5'000, R"({"not":)", "{}", "}"),
      many_properties(3'000),
      doubling(6),
      doubling(40),
      R"({"type":"object","properties":{"a":{"type":"string","description":")" +
          std::string(50'000, 'd') + "\"}}}",
      R"({"type":"object","description":")" + std::string(300'000, 'd') + "\"}"};
  std::string enumeration = R"({"type":"object","properties":{"a":{"enum":["v")";
  for (int i = 0; i < 2'000; ++i) enumeration += ",\"v" + std::to_string(i) + "\"";
  all.push_back(enumeration + "]}}}");
  return all;
}

TEST(CleanSchemaProperty, HoldsForNastySchemas) {
  const auto schemas = nasty_schemas();
  ASSERT_GE(schemas.size(), 50U);
  for (const std::string& schema : schemas) expect_good(schema);
}

// A schema from all the keywords there are, often with values of the wrong kind.
Json random_schema(std::mt19937& random, int depth) {
  const auto below = [&random](std::size_t limit) { return random() % limit; };
  if (below(12) == 0) return below(2) == 0 ? Json(below(2) == 0) : Json(static_cast<int>(below(9)));
  static const std::vector<std::string> types = {"object",  "array", "string", "number", "integer",
                                                 "boolean", "null",  "any",    "String"};
  static const std::vector<Json> values = {
      "a", "b", "", 1, 2.5, true, nullptr, Json::object(), Json::array({1})};
  Json schema = Json::object();
  const auto child = [&] { return depth > 3 ? Json::object() : random_schema(random, depth + 1); };
  const auto list = [&] {
    Json out = Json::array();
    for (std::size_t i = below(4); i > 0; --i) out.push_back(child());
    return out;
  };
  if (below(4) > 0) schema["type"] = types[below(types.size())];
  if (below(8) == 0)
    schema["type"] = Json::array({types[below(types.size())], types[below(types.size())]});
  if (below(3) == 0)
    schema["description"] = below(5) == 0 ? Json(1) : Json("d" + std::to_string(below(5)));
  if (below(4) == 0) schema["title"] = "T";
  if (below(3) == 0) {
    for (std::size_t i = below(4); i > 0; --i)
      schema["properties"]["p" + std::to_string(i)] = child();
    schema["required"] = Json::array({"p1", "p2", "p1", 3});
  }
  if (below(6) == 0) schema["items"] = below(4) == 0 ? list() : child();
  if (below(12) == 0) schema["prefixItems"] = list();
  if (below(6) == 0) schema["additionalProperties"] = child();
  if (below(6) == 0) schema["anyOf"] = list();
  if (below(8) == 0) schema["oneOf"] = list();
  if (below(8) == 0) schema["allOf"] = list();
  if (below(6) == 0) {
    schema["enum"] = Json::array();
    for (std::size_t i = below(5); i > 0; --i)
      schema["enum"].push_back(values[below(values.size())]);
  }
  if (below(10) == 0) schema["const"] = values[below(values.size())];
  if (below(10) == 0)
    schema["$ref"] = below(2) == 0 ? "#" : "#/properties/p" + std::to_string(below(4));
  if (below(8) == 0) schema["minimum"] = values[below(values.size())];
  if (below(8) == 0) schema["exclusiveMaximum"] = 3;
  if (below(8) == 0) schema["minItems"] = static_cast<int>(below(5)) - 1;
  if (below(8) == 0) schema["maxItems"] = static_cast<int>(below(5));
  if (below(8) == 0) schema["format"] = below(2) == 0 ? "date" : "int32";
  if (below(8) == 0) schema["x-other"] = child();
  return schema;
}

TEST(CleanSchemaProperty, HoldsForRandomSchemas) {
  std::mt19937 random(3);
  int objects = 0;
  for (int round = 0; round < 300 && !::testing::Test::HasFailure(); ++round) {
    Json schema = random_schema(random, 0);
    if (schema.is_object() && round % 2 == 0) schema["type"] = "object";
    expect_good(schema.dump());
    objects += clean_schema({schema.dump()}).text != k_no_parameters ? 1 : 0;
  }
  EXPECT_GT(objects, 30);
}

}  // namespace
}  // namespace yume::gemini
