// SPDX-License-Identifier: MIT
#include "gemini/partial_args.h"

#include "util/json_io.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <random>
#include <string>
#include <vector>

namespace yume::gemini {
namespace {

using Json = nlohmann::ordered_json;
using Pieces = std::vector<PartialArg>;

PartialArg piece(std::string path, std::string text, bool more) {
  return {.path = std::move(path), .value = std::move(text), .will_continue = more};
}
PartialArg number(std::string path, std::string text) {
  return {.path = std::move(path), .value = NumberText{std::move(text)}};
}
PartialArg bare(std::string path) {
  return {.path = std::move(path)};
}

struct Outcome {
  std::string text;   // finish(), or "error: ..."
  std::string shown;  // all deltas
  bool exact = true;
};

Outcome collect(const Pieces& pieces) {
  PartialArgs args;
  Outcome outcome;
  for (const PartialArg& one : pieces) {
    if (const auto applied = args.apply(one); !applied.ok()) {
      EXPECT_FALSE(args.finish().ok());
      return {.text = "error: " + applied.error().message, .shown = {}};
    }
    outcome.shown += args.take_delta();
  }
  const auto text = args.finish();
  EXPECT_TRUE(text.ok());
  outcome.text = *text;
  outcome.shown += args.take_delta();
  outcome.exact = args.streams_exactly();
  return outcome;
}

void expect_json(const Pieces& pieces, const std::string& expected) {
  const Outcome outcome = collect(pieces);
  EXPECT_EQ(outcome.text, expected);
  EXPECT_EQ(outcome.shown, expected);
  EXPECT_TRUE(outcome.exact);
}

TEST(PartialArgs, JoinsAStringFromPieces) {
  expect_json({piece("$.location", "Bos", true), piece("$.location", "ton", true),
               piece("$.location", "", false)},
              R"({"location":"Boston"})");
}

TEST(PartialArgs, IsAnEmptyObjectWithoutPieces) {
  expect_json({}, "{}");
}

TEST(PartialArgs, BuildsNestedObjectsAndArraysInTheModelsOrder) {
  expect_json({piece("$.recipe.name", "Soup", false),
               piece("$.recipe.ingredients[0].name", "Sa", true),
               piece("$.recipe.ingredients[0].name", "lt", false),
               number("$.recipe.ingredients[0].grams", "2.50"),
               piece("$.recipe.ingredients[1].name", "Water", false),
               piece("$.recipe.steps[0]", "Boil", false),
               piece("$.recipe.steps[1]", "Eat", false),
               {.path = "$.hot", .value = true},
               {.path = "$.note", .value = nullptr}},
              R"({"recipe":{"name":"Soup","ingredients":[{"name":"Salt","grams":2.50},)"
              R"({"name":"Water"}],"steps":["Boil","Eat"]},"hot":true,"note":null})");
}

TEST(PartialArgs, KeepsTheSpellingOfNumbersButIntegersWhole) {
  expect_json(
      {number("$.a", "5"), number("$.b", "5.0"), number("$.c", "-7.000"), number("$.d", "0.5"),
       number("$.e", "1e3"), number("$.f", "12345678901234567890"), number("$.g", "1.10")},
      R"({"a":5,"b":5,"c":-7,"d":0.5,"e":1e3,"f":12345678901234567890,"g":1.10})");
  for (const char* bad : {"", "abc", "1 2", "NaN", "0x10", "--1", "1e", "01", "1,2", "\"1\""}) {
    EXPECT_TRUE(collect({number("$.a", bad)}).text.starts_with("error")) << bad;
  }
}

TEST(PartialArgs, TakesPlacesWithoutValueAsEmptyContainers) {
  expect_json({bare("$.tags[]"), bare("$.options"), piece("$.name", "n", false)},
              R"({"tags":[],"options":{},"name":"n"})");
  expect_json({bare("$.tags[]"), piece("$.tags[0]", "x", false)}, R"({"tags":["x"]})");
  expect_json({bare("$.options"), number("$.options.depth", "3")}, R"({"options":{"depth":3}})");
  expect_json({bare("$")}, "{}");
  expect_json({bare("$.a[0][]"), bare("$.a[1]")}, R"({"a":[[],{}]})");
}

TEST(PartialArgs, ClosesAStringByAPlaceWithoutValue) {
  expect_json({piece("$.a", "text", true), bare("$.a"), piece("$.b", "", false)},
              R"({"a":"text","b":""})");
}

TEST(PartialArgs, IgnoresAnAnnouncementWithoutValue) {
  expect_json({{.path = "$.a", .will_continue = true}, piece("$.a", "x", false)}, R"({"a":"x"})");
}

TEST(PartialArgs, WritesAsciiAndEscapes) {
  expect_json({piece("$['k\u00e9y \\'x\\'']", "gr\u00fc\u00df \"dich\"\n", true),
               piece("$['k\u00e9y \\'x\\'']", "\U0001F600\\", false)},
              "{\"k\\u00e9y 'x'\":\"gr\\u00fc\\u00df \\\"dich\\\"\\n\\ud83d\\ude00\\\\\"}");
}

TEST(PartialArgs, ShowsTextAsItGrows) {
  PartialArgs args;
  const auto next = [&args](const PartialArg& one) {
    EXPECT_TRUE(args.apply(one).ok());
    return args.take_delta();
  };
  EXPECT_EQ(next(piece("$.path", "a.t", true)), R"({"path":"a.t)");
  EXPECT_EQ(next(piece("$.path", "xt", true)), "xt");
  EXPECT_EQ(next(piece("$.path", "", false)), "");
  EXPECT_EQ(next(number("$.edits[0].line", "5")), R"(","edits":[{"line":5)");
  EXPECT_EQ(next(piece("$.edits[1].text", "x", true)), R"(},{"text":"x)");
  EXPECT_TRUE(args.awaits_more());
  EXPECT_EQ(*args.finish(), R"({"path":"a.txt","edits":[{"line":5},{"text":"x"}]})");
  EXPECT_EQ(args.take_delta(), R"("}]})");
  EXPECT_EQ(args.take_delta(), "");
  EXPECT_EQ(*args.finish(), R"({"path":"a.txt","edits":[{"line":5},{"text":"x"}]})");
  EXPECT_EQ(args.take_delta(), "");
}

TEST(PartialArgs, TellsWhetherAStringWasCut) {
  PartialArgs args;
  EXPECT_FALSE(args.awaits_more());
  ASSERT_TRUE(args.apply(piece("$.a", "x", true)).ok());
  EXPECT_TRUE(args.awaits_more());
  ASSERT_TRUE(args.apply(piece("$.a", "", false)).ok());
  EXPECT_FALSE(args.awaits_more());
}

TEST(PartialArgs, RepeatsAMemberThatWasChangedAfterItsTextClosed) {
  const Outcome outcome = collect({piece("$.a.x", "1", false), piece("$.b", "two", false),
                                   piece("$.a.y", "3", false), piece("$.c", "4", false)});
  EXPECT_EQ(outcome.text, R"({"a":{"x":"1","y":"3"},"b":"two","c":"4"})");
  EXPECT_FALSE(outcome.exact);
  EXPECT_EQ(outcome.shown, R"({"a":{"x":"1"},"b":"two","a":{"x":"1","y":"3"},"c":"4"})");
  EXPECT_EQ(Json::parse(outcome.shown), Json::parse(outcome.text));
}

TEST(PartialArgs, RepeatsANumberThatWasCorrected) {
  const Outcome outcome = collect({number("$.a", "1"), number("$.a", "1"), number("$.a", "2")});
  EXPECT_EQ(outcome.text, R"({"a":2})");
  EXPECT_EQ(outcome.shown, R"({"a":1,"a":2})");
}

TEST(PartialArgs, IsNotDisturbedByAnOldPlaceThatDoesNotChange) {
  expect_json({piece("$.a.x", "1", true), number("$.b", "2"), bare("$.a.x"),
               piece("$.a.x", "", false), bare("$.a"), number("$.c", "3")},
              R"({"a":{"x":"1"},"b":2,"c":3})");
}

TEST(PartialArgs, RefusesWhatDoesNotFit) {
  const std::vector<Pieces> cases = {
      {number("$.a[1]", "1")},                         // a gap
      {number("$.a[0]", "1"), number("$.a[2]", "1")},  // a gap later
      {number("$.a[0][4294967295].b", "1")},           // a gap inside the new
      {number("$.a[18446744073709551615]", "1")},      // would take all memory
      {number("$.a", "1"), number("$.a.b", "1")},      // a member of a number
      {number("$.a.b", "1"), number("$.a[0]", "1")},   // an element of an object
      {number("$.a[0]", "1"), number("$.a.b", "1")},   // a member of an array
      {number("$.a.b", "1"), number("$.a", "1")},      // a number over an object
      {number("$.a.b", "1"), bare("$.a[]")},           // an array over an object
      {number("$", "1")},                              // the whole is an object
      {number("$[0]", "1")},
      {bare("$[]")},
      {number("$.a[]", "1")},
      {number("not a path", "1")},
  };
  for (const Pieces& pieces : cases) {
    EXPECT_TRUE(collect(pieces).text.starts_with("error")) << pieces.back().path;
  }
}

TEST(PartialArgs, StaysLostAfterAMistake) {
  PartialArgs args;
  ASSERT_TRUE(args.apply(number("$.a", "1")).ok());
  ASSERT_FALSE(args.apply(number("$.b[7]", "1")).ok());
  EXPECT_FALSE(args.apply(number("$.c", "1")).ok());
  ASSERT_FALSE(args.finish().ok());
  EXPECT_NE(args.finish().error().message.find("$.b[7]"), std::string::npos);
}

TEST(PartialArgs, TakesNothingAfterItsEnd) {
  PartialArgs args;
  ASSERT_TRUE(args.finish().ok());
  EXPECT_FALSE(args.apply(number("$.a", "1")).ok());
}

TEST(PartialArgs, BoundsDepthMembersAndSize) {
  std::string deep = "$";
  for (int i = 0; i < 128; ++i) deep += ".a";
  EXPECT_FALSE(collect({number(deep, "1")}).text.starts_with("error"));
  EXPECT_TRUE(collect({number(deep + ".a", "1")}).text.starts_with("error"));

  PartialArgs wide;
  int taken = 0;
  while (taken < 5'000 && wide.apply(number("$.k" + std::to_string(taken), "1")).ok()) ++taken;
  EXPECT_EQ(taken, 2'000);

  PartialArgs large;
  const std::string megabyte(1U << 20U, 'x');
  int pieces = 0;
  while (pieces < 100 && large.apply(piece("$.text", megabyte, true)).ok()) ++pieces;
  EXPECT_EQ(pieces, 15);  // 16 with their overhead are over 16 MiB
  EXPECT_EQ(large.finish().error().code, ErrorCode::too_large);
}

// Cuts `value` into pieces as the server does: depth first, strings in bits.
void cut(const Json& value, const std::string& path, std::mt19937& random, Pieces& out) {
  if (value.is_object() || value.is_array()) {
    if (value.empty()) out.push_back(bare(path + (value.is_array() ? "[]" : "")));
    std::size_t index = 0;
    for (const auto& [key, child] : value.items()) {
      const std::string step =
          value.is_array() ? "[" + std::to_string(index++) + "]" : "['" + key + "']";
      cut(child, path + step, random, out);
    }
  } else if (value.is_string()) {
    const std::string text = value.get<std::string>();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t length = 1 + random() % 3;
      out.push_back(piece(path, text.substr(at, length), true));
      at += length;
    }
    out.push_back(piece(path, "", false));
  } else if (value.is_number()) {
    out.push_back(number(path, value.dump()));
  } else if (value.is_boolean()) {
    out.push_back({.path = path, .value = value.get<bool>()});
  } else {
    out.push_back({.path = path, .value = nullptr});
  }
}

Json random_value(std::mt19937& random, int depth) {
  const auto choice = random() % (depth > 3 ? 5 : 7);
  if (choice == 0) return nullptr;
  if (choice == 1) return random() % 2 == 0;
  if (choice == 2) return static_cast<int>(random() % 1'000) - 500;
  if (choice == 3) return 0.25 + static_cast<double>(random() % 100);
  if (choice == 4) return std::string(random() % 8, static_cast<char>('a' + random() % 26));
  Json out = choice == 5 ? Json::object() : Json::array();
  for (std::size_t i = random() % 4; i > 0; --i) {
    Json child = random_value(random, depth + 1);
    if (choice == 5) {
      out["k" + std::to_string(i)] = std::move(child);
    } else {
      out.push_back(std::move(child));
    }
  }
  return out;
}

TEST(PartialArgs, RebuildsEveryValueThatWasCutInOrder) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    Json whole = Json::object();
    for (int i = 0; i < 3; ++i) whole["m" + std::to_string(i)] = random_value(random, 0);
    Pieces pieces;
    cut(whole, "$", random, pieces);
    expect_json(pieces, whole.dump());
  }
}

TEST(PartialArgs, ShowsAnEqualValueWhateverTheOrderOfPieces) {
  std::mt19937 random(11);
  int inexact = 0;
  for (int round = 0; round < 500; ++round) {
    Json whole = Json::object();
    for (int i = 0; i < 3; ++i) whole["m" + std::to_string(i)] = random_value(random, 1);
    Pieces pieces;
    cut(whole, "$", random, pieces);
    for (std::size_t i = 1; i < pieces.size(); ++i) {
      if (random() % 3 == 0) std::swap(pieces[i - 1], pieces[i]);
    }
    const Outcome outcome = collect(pieces);
    if (outcome.text.starts_with("error")) continue;  // an element before its time
    EXPECT_TRUE(check_json(outcome.shown).ok()) << outcome.shown;
    EXPECT_EQ(Json::parse(outcome.shown), Json::parse(outcome.text));
    EXPECT_EQ(outcome.exact, outcome.shown == outcome.text);
    inexact += outcome.exact ? 0 : 1;
  }
  EXPECT_GT(inexact, 20);
}

}  // namespace
}  // namespace yume::gemini
