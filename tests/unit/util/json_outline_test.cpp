// SPDX-License-Identifier: MIT
#include "util/json_outline.h"

#include "support/splits.h"

#include <gtest/gtest.h>

#include <array>
#include <string>
#include <utility>

namespace yume {
namespace {

constexpr OutlineMember k_type{.object = {}, .key = "type"};
constexpr OutlineMember k_request{.object = {}, .key = "request_id"};
constexpr OutlineMember k_answered{.object = "response", .key = "request_id"};
constexpr OutlineMember k_id{.object = {}, .key = "id"};
constexpr std::array k_outline{k_type, k_request, k_answered, k_id};

using TypeAndId = std::pair<std::string, std::string>;

void expect_at_every_split(std::string_view line, const TypeAndId& expected) {
  for (const test::Split& split : test::splits_of(line)) {
    JsonOutline outline(k_outline);
    for (const std::string_view part : split.parts) outline.feed(part);
    const auto id = outline.text(k_request).empty() ? k_answered : k_request;
    EXPECT_EQ(TypeAndId(outline.text(k_type), outline.text(id)), expected)
        << split.name << ": " << line;
  }
}

TEST(JsonOutline, FindsTypeAndRequestInAnyOrder) {
  expect_at_every_split(R"({"type":"user","message":{"content":"x"}})", {"user", ""});
  expect_at_every_split(R"({"message":{"type":"no","content":"x"},"type":"user"})", {"user", ""});
  expect_at_every_split(
      R"({ "request" : {"subtype":"s"}, "request_id" : "r", "type" : "control" })",
      {"control", "r"});
  expect_at_every_split(
      R"({"type":"control_response","response":{"request_id":"r","response":{"request_id":"no"}}})",
      {"control_response", "r"});
  expect_at_every_split(
      R"({"response":{"response":{"a":["request_id",{"request_id":"no"}]},"request_id":"r"},"type":"t"})",
      {"t", "r"});
}

TEST(JsonOutline, IsNotFooledByWhatStandsInStrings) {
  expect_at_every_split(R"({"text":"\"type\":\"no\",{[","type":"user"})", {"user", ""});
  expect_at_every_split(R"({"text":"\\","type":"user"})", {"user", ""});
  expect_at_every_split(R"({"other":{"request_id":"no"},"x":"type","type":"user"})", {"user", ""});
  expect_at_every_split(R"(["type","no"])", {"", ""});
}

TEST(JsonOutline, HasNothingToSayAboutWhatIsNoJson) {
  expect_at_every_split("no json at all", {"", ""});
  expect_at_every_split("}}}]]]\"type\":\"no\"", {"", ""});
  expect_at_every_split(R"({"type":)", {"", ""});
}

TEST(JsonOutline, KeepsValuesOfEveryKindAsTheyAreWritten) {
  const auto id_of = [](std::string_view line) {
    std::string found = "none";
    for (const test::Split& split : test::splits_of(line)) {
      JsonOutline outline(k_outline);
      for (const std::string_view part : split.parts) outline.feed(part);
      const std::string id(outline.value(k_id));
      EXPECT_TRUE(found == "none" || found == id) << split.name << ": " << line;
      found = id;
    }
    return found;
  };
  EXPECT_EQ(id_of(R"({"id":7,"method":"m"})"), "7");
  EXPECT_EQ(id_of(R"({"result":{"id":1,"a":[2,{"id":3}]} , "id" : -7.50e+1 })"), "-7.50e+1");
  EXPECT_EQ(id_of(R"({"result":["id",1],"id":"a\"b"})"), R"("a\"b")");
  EXPECT_EQ(id_of(R"({"id":null,"x":true})"), "null");
  EXPECT_EQ(id_of(R"({"x":["id",5],"id":{"a":1}})"), "");
  EXPECT_EQ(id_of(R"(["id",5])"), "");
  EXPECT_EQ(id_of(R"({"id":)" + std::string(1000, '1') + "}"), "") << "too long for an id";
}

TEST(JsonOutline, PassesOverALongStringAtAnyDepth) {
  const std::string data(10'000, 'A');
  JsonOutline outline(k_outline);
  outline.feed(R"({"a":")" + data + R"(\")" + data + R"(","message":{"content":[{"data":")" + data +
               data + R"("}]},"type":"user"})");
  EXPECT_EQ(outline.text(k_type), "user");
}

}  // namespace
}  // namespace yume
