// SPDX-License-Identifier: MIT
#include "util/json_scan.h"

#include <gtest/gtest.h>

#include "util/json_io.h"

namespace yume {
namespace {

class Told final : public JsonScanHandler {
 public:
  void on_begin(JsonContainer container, std::uint64_t at) override {
    text += (container == JsonContainer::object ? "{" : "[") + std::to_string(at) + " ";
  }
  void on_end(std::uint64_t behind) override { text += "}" + std::to_string(behind) + " "; }
  void on_key(std::string_view key) override { text += std::string(key) + ": "; }
  void on_string(std::string_view value) override { text += "'" + std::string(value) + "' "; }
  void on_scalar(std::string_view value) override { text += std::string(value) + " "; }

  std::string text;
};

std::string told(std::string_view json, std::size_t cut = 0,
                 const JsonScanner::Limits& limits = {}) {
  Told handler;
  JsonScanner scanner(handler, limits);
  scanner.feed(json.substr(0, cut));
  scanner.feed(json.substr(cut));
  return handler.text + (scanner.finish() ? "whole" : "broken");
}

TEST(JsonScanner, ReportsWhereContainersAreAndShortValues) {
  EXPECT_EQ(told(R"( {"a":[1,{"b\n":"\u00e9"}],"c":null} )"),
            R"({1 a: [6 1 {9 b\n: '\u00e9' }25 }26 c: null }36 whole)");
}

TEST(JsonScanner, SaysTheSameHoweverTheTextIsCut) {
  const std::string json = R"({"id":"x\"y","n":[-1.5e+3,true,[],{}],"t":"\\","u":"é"})";
  const std::string whole = told(json);
  for (std::size_t cut = 0; cut <= json.size(); ++cut) EXPECT_EQ(told(json, cut), whole) << cut;
}

TEST(JsonScanner, TakesWhatTheParserTakes) {
  for (const char* json :
       {"1",          "-0",         "01",          "1.",          ".5",       "1e5",
        "1e",         "-",          "true",        "tru",         "nulll",    "\"a\"",
        "\"a",        "\"\\x\"",    "\"\\u12g4\"", "\"\\u1234\"", "\"a\nb\"", "[",
        "]",          "[1,]",       "[,1]",        "[1 2]",       "{\"a\"}",  "{\"a\":}",
        "{\"a\":1,}", "{a:1}",      "{\"a\":1}}",  "{\"a\":1} 2", "",         " ",
        "[[]]",       "{\"a\":[}]", "1 ",          "[1]x"}) {
    EXPECT_EQ(told(json).ends_with("whole"), check_json(json).ok()) << json;
  }
}

TEST(JsonScanner, KeepsNoLongTextAndNothingDeep) {
  EXPECT_EQ(told(R"({"a":"12345","b":"\n\n\n","c":"1234"})", 0, {.longest_text = 4}),
            "{0 a: '' b: '' c: '1234' }37 whole");
  EXPECT_EQ(told(R"({"a":{"b":"x"}})", 0, {.reported_depth = 1}), "{0 a: {5 : '' }14 }15 whole");
  EXPECT_EQ(told("[[[1]]]", 0, {.max_depth = 2}), "[0 [1 broken");
}

TEST(JsonScanner, BeginsAgain) {
  Told handler;
  JsonScanner scanner(handler, {});
  scanner.feed("{\"a\":");
  EXPECT_FALSE(scanner.finish());
  scanner.restart(100);
  scanner.feed("[]");
  EXPECT_TRUE(scanner.finish());
  EXPECT_EQ(handler.text, "{0 a: [100 }102 ");
}

}  // namespace
}  // namespace yume
