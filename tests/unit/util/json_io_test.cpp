// SPDX-License-Identifier: MIT
#include "util/json_io.h"

#include "util/utf8.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>
#include <random>
#include <string>
#include <vector>

namespace yume {
namespace {

using nlohmann::json;

std::string in_quotes(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

std::string ascii(std::string_view raw) {
  std::string out;
  append_ascii_json(out, raw);
  return out;
}

bool is_ascii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= 0x20 && c < 0x7F; });
}

TEST(AppendJsonString, EscapesEveryControlCharacter) {
  EXPECT_EQ(in_quotes("\b\f\n\r\t"), R"("\b\f\n\r\t")");
  for (char c = 0; c < 0x20; ++c) {
    const std::string text(1, c);
    const std::string out = in_quotes(text);
    EXPECT_TRUE(is_ascii(out)) << static_cast<int>(c);
    EXPECT_EQ(json::parse(out).get<std::string>(), text) << static_cast<int>(c);
  }
  EXPECT_EQ(in_quotes(std::string(1, '\0') + "\x1b\x7f"), R"("\u0000\u001b\u007f")");
}

TEST(AppendJsonString, EscapesQuotesAndBackslashesAndNoOtherPrintable) {
  EXPECT_EQ(in_quotes(R"(a"b\c/</script>'&)"), R"("a\"b\\c/</script>'&")");
  std::string printable;
  for (char c = 0x20; c < 0x7F; ++c) {
    if (c != '"' && c != '\\') printable.push_back(c);
  }
  EXPECT_EQ(in_quotes(printable), "\"" + printable + "\"");
}

TEST(AppendJsonString, WritesEveryCodePointAsAsciiThatReadsBackEqual) {
  for (char32_t code = 0x80; code <= 0x10FFFF; code += code < 0x3000 ? 1 : 97) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    std::string text;
    append_utf8(text, code);
    const std::string out = in_quotes(text);
    ASSERT_TRUE(is_ascii(out)) << std::hex << static_cast<std::uint32_t>(code);
    ASSERT_EQ(json::parse(out).get<std::string>(), text) << static_cast<std::uint32_t>(code);
  }
  EXPECT_EQ(in_quotes("\xE2\x80\xA8\xF0\x9F\x98\x80\xF4\x8F\xBF\xBF"),
            R"("\u2028\ud83d\ude00\udbff\udfff")");
}

TEST(AppendJsonString, ReplacesWhatIsNotUtf8) {
  struct Case {
    std::string_view bytes;
    std::string_view expected;
  };
  const std::vector<Case> cases = {
      {"\xFF", R"("\ufffd")"},
      {"\x80", R"("\ufffd")"},
      {"a\xC3", R"("a\ufffd")"},
      {"\xC3(", R"("\ufffd(")"},
      {"\xC0\xAF", R"("\ufffd\ufffd")"},                      // overlong
      {"\xE0\x80\x80", R"("\ufffd\ufffd\ufffd")"},            // overlong
      {"\xED\xA0\x80", R"("\ufffd\ufffd\ufffd")"},            // a surrogate in UTF-8
      {"\xF4\x90\x80\x80", R"("\ufffd\ufffd\ufffd\ufffd")"},  // above U+10FFFF
      {"\xF0\x9F\x98", R"("\ufffd")"},                        // cut off: one replacement
      {"\xF0\x9F\x98z", R"("\ufffdz")"},
      {"\xE2\x82\xE2\x82\xAC", R"("\ufffd\u20ac")"},
  };
  for (const Case& one : cases) EXPECT_EQ(in_quotes(one.bytes), one.expected);
}

TEST(AppendAsciiJson, MakesJsonCompactAndKeepsOrderAndNumberSpelling) {
  EXPECT_EQ(ascii(" { \"b\" : [ 1.50 , -0 , 1E5, 12345678901234567890 ] ,\r\n\t\"a\" : \"x y\" } "),
            R"({"b":[1.50,-0,1E5,12345678901234567890],"a":"x y"})");
  EXPECT_EQ(ascii(R"({"a":1,"a":2,"":null})"), R"({"a":1,"a":2,"":null})");
}

TEST(AppendAsciiJson, EscapesWhatIsNotAscii) {
  EXPECT_EQ(ascii("{\"\xC3\xA9\":\"\xF0\x9F\x98\x80\x7F\"}"), R"({"\u00e9":"\ud83d\ude00\u007f"})");
  EXPECT_EQ(ascii("\"\xFF\xE2\x82\""), R"("\ufffd\ufffd")");
}

TEST(AppendAsciiJson, KeepsEscapesAsTheyAre) {
  const std::string raw = R"(["\"\\\/\b\f\n\r\t","\u00E9\ud83D\uDE00","\\ud800","\\\u0041"])";
  EXPECT_EQ(ascii(raw), raw);
}

TEST(AppendAsciiJson, RepairsLoneSurrogates) {
  EXPECT_EQ(ascii(R"("\ud83d")"), R"("\ufffd")");
  EXPECT_EQ(ascii(R"("\ude00x")"), R"("\ufffdx")");
  EXPECT_EQ(ascii(R"("\ud83d\ud83d\ude00")"), R"("\ufffd\ud83d\ude00")");
  EXPECT_EQ(ascii(R"("\ud83dA\ude00")"), R"("\ufffdA\ufffd")");
  EXPECT_EQ(ascii(R"("\ud83d\n")"), R"("\ufffd\n")");
  EXPECT_EQ(ascii(R"("\ud83d\\ude00")"), R"("\ufffd\\ude00")");
}

TEST(AppendAsciiJson, IsSafeOnTextThatEndsTooEarly) {
  const std::string raw = "{\"a\":\"\\ud83d\\ude00\xF0\x9F\x98\x80\"}";
  for (std::size_t at = 0; at <= raw.size(); ++at) {
    EXPECT_LE(ascii(raw.substr(0, at)).size(), raw.size() + 12) << at;
  }
  EXPECT_EQ(ascii("\"\\"), "\"\\");
}

std::string random_text(std::mt19937& random) {
  static const std::vector<std::string> pieces = {
      "a",  "\"", "\\",      "\n", "\x01", "\x7F", "\xC3\xA9",    "\xF0\x9F\x98\x80",
      "\t", "/",  "\\u0041", "\\", "zz",   " ",    "\xE2\x82\xAC"};
  std::string text;
  const std::size_t length = random() % 30;
  for (std::size_t i = 0; i < length; ++i) text += pieces[random() % pieces.size()];
  return text;
}

TEST(AppendAsciiJson, KeepsTheValueOfRandomDocuments) {
  std::mt19937 random(7);
  for (int round = 0; round < 300; ++round) {
    json value = json::object();
    for (int i = 0; i < 4; ++i) {
      value[random_text(random)] = json::array({random_text(random), random() % 1000, nullptr, true,
                                                json::object({{"k", random_text(random)}})});
    }
    const std::string out = ascii(value.dump(2));
    EXPECT_TRUE(is_ascii(out));
    EXPECT_EQ(json::parse(out), value);
    EXPECT_EQ(ascii(out), out) << "a second pass changes nothing";
  }
}

TEST(JsonPrefix, IsTheLongestThatFitsAndCutsNoCharacter) {
  std::mt19937 random(11);
  for (int round = 0; round < 100; ++round) {
    const std::string text = random_text(random);
    for (std::size_t limit = 2; limit < in_quotes(text).size() + 3; ++limit) {
      const std::string_view prefix = json_prefix(text, limit);
      EXPECT_TRUE(text.starts_with(prefix));
      EXPECT_TRUE(is_valid_utf8(prefix));
      EXPECT_LE(in_quotes(prefix).size(), limit);
      if (prefix.size() == text.size()) continue;
      const std::size_t next = decode_utf8(text, prefix.size()).length;
      EXPECT_GT(in_quotes(text.substr(0, prefix.size() + next)).size(), limit) << "could be longer";
    }
  }
}

TEST(JsonPrefix, GivesNothingWhenNotEvenOneCharacterFits) {
  EXPECT_EQ(json_prefix("\xF0\x9F\x98\x80", 13), "");
  EXPECT_EQ(json_prefix("\xF0\x9F\x98\x80", 14), "\xF0\x9F\x98\x80");
  EXPECT_EQ(json_prefix("a", 2), "");
  EXPECT_EQ(json_prefix("a", 0), "");
  EXPECT_EQ(json_prefix("", 0), "");
}

TEST(ShortenJsonStrings, CutsOnlyLongStringsAndSaysHowMuchIsGone) {
  EXPECT_EQ(shorten_json_strings(R"({"a":"0123456789","b":"0123"})", 4),
            R"({"a":"012... [7 bytes left out here]","b":"0123"})");
  EXPECT_EQ(shorten_json_strings(R"({"a":[1,"x"],"n":-1.5e3})", 4), R"({"a":[1,"x"],"n":-1.5e3})");
}

TEST(ShortenJsonStrings, StaysValidJsonAtEveryLimit) {
  const std::string raw =
      "{\"a\":\"\\\"\\\\\\n\\u0041\\ud83d\\ude00\xC3\xA9\xF0\x9F\x98\x80 "
      "end\",\"list\":[\"\\\\\\\\\","
      "\"\",\"\xE2\x82\xAC\xE2\x82\xAC\"],\"n\":1}";
  ASSERT_TRUE(check_json(raw).ok());
  for (std::size_t limit = 0; limit < raw.size() + 2; ++limit) {
    const std::string cut = shorten_json_strings(raw, limit);
    EXPECT_TRUE(check_json(cut).ok()) << limit << ": " << cut;
    EXPECT_EQ(json::parse(cut, nullptr, false)["n"], 1) << limit << ": " << cut;
    // No half of a surrogate pair either, or the ASCII form would differ in meaning.
    EXPECT_EQ(ascii(cut).find("\\ufffd"), std::string::npos) << limit << ": " << cut;
  }
  EXPECT_EQ(shorten_json_strings(raw, raw.size()), raw);
}

TEST(CheckJson, AcceptsOneValueOfEveryKind) {
  for (const char* raw : {"{}", "[]", "null", "true", "-1.5e3", "\"x\"", " {\"a\":[{}]} "}) {
    EXPECT_TRUE(check_json(raw).ok()) << raw;
  }
}

TEST(CheckJson, RefusesEverythingElseAndNamesThePlace) {
  for (const char* raw : {"", " ", "{", "[1,]", "{\"a\":}", "nul", "{} {}", "'x'", "\"\n\"",
                          "\"\\ud800\"", "\"\xFF\"", "01", "1.", "{\"a\" 1}", "\"\\x\""}) {
    const auto checked = check_json(raw);
    ASSERT_FALSE(checked.ok()) << raw;
    EXPECT_EQ(checked.error().code, ErrorCode::protocol);
    EXPECT_TRUE(checked.error().message.starts_with("not JSON at byte ")) << raw;
  }
}

TEST(CheckJson, LimitsTheDepthWithoutUsingTheStack) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '[') + std::string(depth, ']');
  };
  EXPECT_TRUE(check_json(nested(128)).ok());
  ASSERT_FALSE(check_json(nested(129)).ok());
  EXPECT_EQ(check_json(nested(129)).error().message, "JSON nested deeper than 128");
  EXPECT_TRUE(check_json(nested(3), 3).ok());
  EXPECT_FALSE(check_json(nested(4), 3).ok());
  EXPECT_FALSE(check_json(nested(1'000'000)).ok());
  EXPECT_TRUE(check_json("[[],[],[]]", 2).ok()) << "neighbours don't add up";
}

TEST(JsonWriter, BuildsNestedValuesWithCommas) {
  std::string out;
  JsonWriter writer(out);
  writer.begin_object().field("s", "x\"").field("i", -5).field("b", false).key("n").null();
  writer.key("a").begin_array().integer(1).string("2").begin_object().end_object();
  writer.begin_array().end_array().boolean(true).end_array();
  writer.field("raw", RawJson{"{ \"\xC3\xA9\" : 1 }"}).key("d").number(0.1).end_object();
  EXPECT_EQ(out, R"({"s":"x\"","i":-5,"b":false,"n":null,"a":[1,"2",{},[],true],)"
                 R"("raw":{"\u00e9":1},"d":0.1})");
}

TEST(JsonWriter, WritesIntegersWhole) {
  std::string out;
  JsonWriter(out)
      .begin_array()
      .integer(std::numeric_limits<std::int64_t>::min())
      .integer(std::numeric_limits<std::int64_t>::max())
      .integer(0)
      .end_array();
  EXPECT_EQ(out, "[-9223372036854775808,9223372036854775807,0]");
}

TEST(JsonWriter, WritesTheShortestNumberThatReadsBackEqual) {
  const std::vector<std::pair<double, std::string>> cases = {
      {0, "0"},        {0.1, "0.1"},  {1.0, "1"}, {0.00012345, "0.00012345"},
      {1e-7, "1e-07"}, {12.5, "12.5"}};
  for (const auto& [value, expected] : cases) {
    std::string out;
    JsonWriter(out).number(value);
    EXPECT_EQ(out, expected);
  }
  std::mt19937_64 random(3);
  for (int i = 0; i < 1000; ++i) {
    const double value = std::uniform_real_distribution<double>(0, 10)(random);
    std::string out;
    JsonWriter(out).number(value);
    EXPECT_EQ(json::parse(out).get<double>(), value);
  }
}

}  // namespace
}  // namespace yume
